/** Name of the strategy of keys, and of the security scheme in the API description. */
export const API_KEY_SCHEME = 'ld_api_key';
/** Name of the strategy of sessions, and of the security scheme in the API description. */
export const SESSION_SCHEME = 'session_cookie';
/** Name of the strategy of the console's tokens for one Supervisor, which come in the header of the keys (C-5.14). */
export const SUPERVISOR_TOKEN_SCHEME = 'supervisor_token';

export type StrategyName = typeof API_KEY_SCHEME | typeof SESSION_SCHEME | typeof SUPERVISOR_TOKEN_SCHEME;

/** The header with the secret of a key. */
export const API_KEY_HEADER = 'ld-api-key';
