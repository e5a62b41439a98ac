/** What keeps an agent from working at all: a broken bootstrap file, an address it may not speak to. */
export class AgentError extends Error {
  override readonly name = 'AgentError';
}

/** The gateway refused. `code` is its own word, when it gave one; `retryAfterMs` is set when it asked for patience. */
export class GatewayError extends Error {
  override readonly name = 'GatewayError';

  constructor(
    readonly status: number,
    readonly code: string | null,
    readonly retryAfterMs: number | null,
  ) {
    super(`the gateway answered ${status}${code === null ? '' : ` ${code}`}`);
  }
}
