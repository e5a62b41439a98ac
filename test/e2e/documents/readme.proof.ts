import { runPage } from './run-page.js';

describe('The commands of the README, pasted into one terminal', () => {
  runPage('README.md', /^succeeded$|succeeded/m, /^greetings hello$/m);
});
