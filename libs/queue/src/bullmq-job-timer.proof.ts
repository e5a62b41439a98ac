import { wakesOneProcess } from '../test/job-timer.fixture.js';

describe('A schedule with a queue in PostgreSQL', () =>
  wakesOneProcess(async ({ url }) => ({ url, stop: async () => undefined })));
