export * from './checks/assess.js';
export { VERDICTS, type Verdict } from './checks/check.js';
export * from './report/render-report.js';
export * from './snapshot-data.js';
