import test from 'ava';
import * as contract from '../../../core/contract/index.js';

test('the plugin API exports these values, and nothing of the host', (t) => {
  t.deepEqual(Object.keys(contract).sort(), [
    'API_VERSION',
    'AgentError',
    'CheckWarning',
    'ERROR_CODES',
    'FailedChecks',
    'LEVELS',
    'LEVEL_NAMES',
    'LeveledLoggers',
    'LogSpec',
    'SourceError',
    'checkLoggerName',
    'createYielder',
    'defineHealthChecker',
    'defineLoggingBackend',
    'defineMetricSink',
    'defineMetricSource',
    'defineNotifier',
    'errorCodeOf',
    'parseLevel',
    'parseLogSpec',
    'reasonOf',
    'within',
  ]);
});
