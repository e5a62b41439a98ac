/** A problem that keeps an agent from working: a broken bootstrap file, or a forbidden address. */
export class AgentError extends Error {
  override readonly name = 'AgentError';
}

/**
 * A refusal of the gateway. `code` is the code from the gateway, if any. `retryAfterMs` is set when the gateway asked the agent
 * to wait.
 */
export class GatewayError extends Error {
  override readonly name = 'GatewayError';

  constructor(
    readonly status: number,
    readonly code: string | null,
    readonly retryAfterMs: number | null,
  ) {
    super(`the gateway returned ${status}${code === null ? '' : ` ${code}`}`);
  }
}
