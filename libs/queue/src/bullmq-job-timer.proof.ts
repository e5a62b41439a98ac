import { wakesOneProcess } from '../test/job-timer.fixture.js';

describe('By a queue in PostgreSQL one of several processes is rung,', () =>
  wakesOneProcess(async ({ url }) => ({ url, stop: async () => undefined })));
