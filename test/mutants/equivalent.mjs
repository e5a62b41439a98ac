/**
 * Generated mutants that no test can kill, because they behave like the original. Each has a reason. `before` and `after`
 * are the lines that the command prints.
 */
const FILES = {
  'libs/domain/src/access/permission-tree.ts': [
    {
      before: 'if (WHOLE_TENANT.includes(wanted)) return false;',
      after: 'if (WHOLE_TENANT.includes(wanted)) return null;',
      reason: 'the caller negates the result, and both are false then',
    },
  ],
  'libs/domain/src/cidr.ts': [
    {
      before: 'if (bits >= 24) return network;',
      after: 'if (bits > 24) return network;',
      reason: 'the only subnet of a /24 is the /24 itself',
    },
  ],
  'libs/domain/src/storable-text.ts': [
    {
      before: 'if (text.length <= longest) return text;',
      after: 'if (text.length < longest) return text;',
      reason: 'the cut of a text at its own length is the text',
    },
    {
      before: 'const isSplit = (text.codePointAt(longest - 1) ?? 0) > 0xffff;',
      after: 'const isSplit = (text.codePointAt(longest - 1) ?? (0 + 1)) > 0xffff;',
      reason: 'both numbers are below the surrogate pairs',
    },
  ],
  'libs/http/src/writes/write.interceptor.ts': [
    {
      before: 'const even = atLeastMs > 0 ? delay(atLeastMs) : null;',
      after: 'const even = atLeastMs >= 0 ? delay(atLeastMs) : null;',
      reason: 'a delay of no time changes nothing',
    },
  ],
  'libs/host/src/gate/http-endpoint.ts': [
    { before: 'request.resume();', after: ';', reason: 'Node discards an unread body after the answer' },
  ],
  'libs/host/src/gate/forwarder.ts': [
    {
      before: "socket.once('close', () => clearTimeout(timer));",
      after: ';',
      reason: 'the timer only destroys the socket, which is closed',
    },
    { before: 'socket.destroy();', after: ';', reason: 'Node destroys a socket after an error' },
  ],
  'libs/host/src/gate/tls-entrance.ts': [
    {
      before: "socket.once('close', () => clearTimeout(timer));",
      after: ';',
      reason: 'the timer only resets the socket, which is closed',
    },
  ],
  'apps/main-api/src/audit/dto/audit.query.ts': [
    {
      before: "const COMMA_LIST = { style: 'form', explode: false };",
      after: "const COMMA_LIST = { style: 'form', explode: true };",
      reason: 'only the description of the API differs, and a golden file compares the description',
    },
  ],
  'libs/host/src/gate/packet-meter.ts': [
    {
      before: 'if (!this.acceptsHeaderByte(chunk[offset] ?? 0)) return false;',
      after: 'if (!this.acceptsHeaderByte(chunk[offset] ?? (0 + 1))) return false;',
      reason: 'the offset is always inside the chunk',
    },
  ],
  'libs/host/src/gate/gate-process.ts': [
    { before: 'this.websocket?.close();', after: ';', reason: 'the process exits in the same tick' },
  ],
  'libs/host/src/gate/gate.ts': [
    { before: 'this.timer.unref();', after: ';', reason: 'the process of a gate ends by process.exit' },
  ],
  'libs/access/src/access-session-store.ts': [
    {
      before:
        'const row = await this.sessions.resolve(sessionId(token) ?? 0, addressed.tenantId ?? null, rowsOf(addressed));',
      after:
        'const row = await this.sessions.resolve(sessionId(token) ?? (0 + 1), addressed.tenantId ?? null, rowsOf(addressed));',
      reason: 'the hash of a malformed token equals no stored hash',
    },
  ],
  'libs/access/src/access-caller-store.ts': [
    {
      before: 'const row = await this.callers.resolve(apiKeyId(secret) ?? 0, rowsOf(addressed));',
      after: 'const row = await this.callers.resolve(apiKeyId(secret) ?? (0 + 1), rowsOf(addressed));',
      reason: 'the hash of a malformed secret equals no stored hash',
    },
  ],
  'libs/access/src/access-rate-store.ts': [
    {
      before: 'const idle = performance.now() - this.window.seconds * 1000;',
      after: 'const idle = performance.now() - this.window.seconds * (1000 + 1);',
      reason: 'an idle caller leaves the memory a thousandth of the window later',
    },
  ],
  'libs/access/src/database-readiness.ts': ['!(problem === null)', 'problem !== null'].map((condition) => ({
    before: "if (problem === null) this.logger.log('ready again');",
    after: `if (${condition}) this.logger.log('ready again');`,
    reason: 'only the level of a log line differs',
  })),
  'libs/workflow/src/overdue-operations-reconciler.ts': [
    {
      before: 'everyMs: options.periodMs ?? 1000,',
      after: 'everyMs: options.periodMs ?? (1000 + 1),',
      reason: 'one millisecond of a second',
    },
  ],
  'libs/host/src/gate/websocket-endpoint.ts': ['headersTimeout', 'requestTimeout'].map((name) => ({
    before: 'this.http = createServer({ headersTimeout: 10_000, requestTimeout: 10_000 }, (_request, response) => {',
    after:
      'this.http = createServer({ headersTimeout: 10_000, requestTimeout: 10_000 }, (_request, response) => {'.replace(
        `${name}: 10_000`,
        `${name}: (10_000 + 1)`,
      ),
    reason: 'one millisecond of ten seconds',
  })),
  'libs/workflow/src/workflow-log.ts': [
    {
      before:
        'const about = (row: OperationRow): object => ({ operation: row.id, workflow: row.type, step: row.step, attempt: row.attempt, deployment: row.deployment_id, traceId: row.trace_id, });',
      after: 'const about = (row: OperationRow): object => null;',
      reason: 'only log lines differ',
    },
  ],
  'libs/workflow/src/lease-renewal.ts': [
    {
      before: 'const isTooLong = Date.now() - this.stepBegunAt > STEP_LIMIT_MS;',
      after: 'const isTooLong = Date.now() - this.stepBegunAt >= STEP_LIMIT_MS;',
      reason: 'one millisecond of a minute',
    },
  ],
  'libs/workflow/src/schedules/periodic.ts': [
    {
      before: 'this.schedule(this.isWokenUp ? 0 : this.options.everyMs * (0.8 + Math.random() * 0.4));',
      after: 'this.schedule(this.isWokenUp ? (0 + 1) : this.options.everyMs * (0.8 + Math.random() * 0.4));',
      reason: 'one millisecond, which a timer of Node has at least',
    },
  ],
};

export const EQUIVALENT = Object.entries(FILES).flatMap(([file, list]) => list.map((entry) => ({ file, ...entry })));
