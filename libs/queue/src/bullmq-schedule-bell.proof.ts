import { ringsOneProcess } from '../test/schedule-bell.fixture.js';

describe('By a queue in PostgreSQL one of several processes is rung,', () =>
  ringsOneProcess(async ({ url }) => ({ url, stop: async () => undefined })));
