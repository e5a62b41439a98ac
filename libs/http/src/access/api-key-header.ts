/** Name of the security scheme in the API description. */
export const API_KEY_SCHEME = 'ld_api_key';
/** The header with the secret of a key. */
export const API_KEY_HEADER = 'ld-api-key';
