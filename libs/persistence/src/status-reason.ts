const REASONS = `r.status_reason, case when r.status in ('initialized', 'degraded') then
  (select a.refusal from deployment_accounts a where a.deployment_id = r.deployment_id) end`;

/**
 * The reason for the status of a deployment. While it serves, the reason includes the refusal of the account that contains it: an
 * operation has a reason of its own. For rows `r` of runtimes.
 */
export const STATUS_REASON = `nullif(concat_ws('; ', ${REASONS}), '') as status_reason`;

/** The same where the Supervisor may be away. `away`: an expression that is null while it is not. */
export const statusReasonOr = (away: string): string =>
  `nullif(concat_ws('; ', ${REASONS}, ${away}), '') as status_reason`;
