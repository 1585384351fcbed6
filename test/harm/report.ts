// Reports of cases as text.

import { isDifferent } from './rehearsed.js';
import { hasDisagreement, isDisagreement, type CaseReport } from './run-case.js';

const lines = (title: string, list: readonly string[]): string[] => list.map((each) => `  ${title}: ${each}`);

/** A case: one line, and a line for each thing to look at. */
export function caseText(report: CaseReport): string {
  const { id, updates, notCounted, acceptance, losses, notNamed, falseDangers, seconds } = report;
  const outcome =
    notCounted === null ? acceptance.map(({ network }) => network).join(', ') || 'no update' : 'not counted';
  const kind = report.isRoutine ? 'routine, ' : '';
  return [
    `${hasDisagreement(report) ? 'LOOK' : 'ok'} ${id}: ${kind}${outcome}, ${losses.length} lost, ${seconds} s: ${updates.join('; then ')}`,
    ...(notCounted === null ? [] : [`  not counted: ${notCounted}`]),
    ...lines(
      'not named',
      notNamed.map(({ phase, probe, who, reason, line }) =>
        [`${phase} ${probe} ${who}: ${reason}`, ...(line === undefined ? [] : [line])].join(': '),
      ),
    ),
    ...lines('did not happen', falseDangers),
    ...lines(
      'acceptance',
      acceptance
        .filter(isDisagreement)
        .map(
          ({ review, network, reason }) =>
            `review says ${review ? 'accepted' : 'refused'}, the network ${network}: ${reason}`,
        ),
    ),
    ...lines('rehearsed otherwise', report.rehearsed?.outcomes ?? []),
    ...lines('lost, and not in the rehearsal', report.rehearsed?.notRehearsed ?? []),
    ...lines('lost in the rehearsal only', report.rehearsed?.onlyRehearsed ?? []),
  ].join('\n');
}

/** The counts of all cases. */
export function summaryText(reports: readonly CaseReport[]): string {
  const counted = reports.filter(({ notCounted }) => notCounted === null);
  const accepted = counted.filter(({ acceptance }) =>
    acceptance.some(({ network }) => network === 'accepted'),
  );
  const count = (list: readonly CaseReport[], has: (report: CaseReport) => boolean): number =>
    list.filter(has).length;
  const seconds = reports.reduce((sum, each) => sum + each.seconds, 0) / Math.max(1, reports.length);
  const rehearsals = reports.flatMap(({ rehearsed }) => rehearsed ?? []);
  return [
    `${reports.length} cases, ${reports.length - counted.length} not counted, ${accepted.length} accepted, ${seconds.toFixed(0)} s a case`,
    `losses: ${count(counted, ({ losses }) => losses.length > 0)} cases, not named in ${count(counted, ({ notNamed }) => notNamed.length > 0)}`,
    `false dangers: ${count(accepted, (each) => each.isRoutine && each.falseDangers.length > 0)} of ${count(accepted, (each) => each.isRoutine)} routine, ` +
      `${count(accepted, (each) => !each.isRoutine && each.falseDangers.length > 0)} of ${count(accepted, (each) => !each.isRoutine)} others`,
    `disagreements of acceptance: ${count(counted, ({ acceptance }) => acceptance.some(isDisagreement))}`,
    ...(rehearsals.length === 0
      ? []
      : [`rehearsals: ${rehearsals.length}, different: ${rehearsals.filter(isDifferent).length}`]),
  ].join('\n');
}
