import type { OpenAPIObject } from '@nestjs/swagger';
import { CSRF_HEADER } from '../access/authorize.js';
import { API_KEY_SCHEME, SESSION_SCHEME } from '../access/strategies/names.js';

interface Securable {
  security?: Record<string, string[]>[];
  parameters?: object[];
  'x-key-only'?: boolean;
}

const CSRF_PARAMETER = {
  name: CSRF_HEADER,
  in: 'header',
  required: false,
  description: 'The csrf_token of the session; needed when the session cookie is what is sent.',
  schema: { type: 'string' },
};

/**
 * For an app with sessions: an operation that accepts a key also accepts a session, unless it is about the key. Its
 * writes need the token of the session.
 */
export function addSessions(document: OpenAPIObject): void {
  for (const path of Object.values(document.paths))
    for (const [method, value] of Object.entries(path as Record<string, Securable>)) {
      if (takes(value, API_KEY_SCHEME) && !value['x-key-only']) value.security?.push({ [SESSION_SCHEME]: [] });
      if (takesSessionToken(value, method)) value.parameters = [...(value.parameters ?? []), CSRF_PARAMETER];
    }
}

/** Whether the operation, when a session sends it, must send the token of the session. */
export const takesSessionToken = (operation: Securable, method: string): boolean =>
  method !== 'get' && takes(operation, SESSION_SCHEME);

const takes = ({ security }: Securable, scheme: string): boolean => (security ?? []).some((one) => scheme in one);
