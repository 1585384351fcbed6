import test from 'ava';
import * as contract from '../../../core/contract/index.js';

test('the plugin API exports these values, and nothing of the host', (t) => {
  t.deepEqual(Object.keys(contract).sort(), [
    'AgentError',
    'CheckWarning',
    'FailedChecks',
    'LEVELS',
    'LeveledLoggers',
    'SourceError',
    'createYielder',
    'defineHealthChecker',
    'defineLoggingBackend',
    'defineMetricSink',
    'defineMetricSource',
    'defineNotifier',
    'errorCodeOf',
    'parseLogSpec',
    'reasonOf',
    'within',
  ]);
});
