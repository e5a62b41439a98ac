/** The API of the node. Every call stays on this host. */

let onSignedOut = () => undefined;

/** Called when an answer says that the session has ended. */
export function whenSignedOut(callback) {
  onSignedOut = callback;
}

/** A refused call. The message is a sentence for the person. */
export class CallError extends Error {
  constructor(status, code, message) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

export async function call(method, path, body) {
  const response = await fetch(`/ui/${path}`, {
    method,
    credentials: 'same-origin',
    headers: {
      accept: 'application/json',
      ...(method !== 'GET' && { 'landlord-page': '1' }),
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  }).catch(() => {
    throw new CallError(0, 'unreachable', 'The node did not answer. Check the connection and the access rules.');
  });
  if (response.status === 204) return null;
  const answer = await response.json().catch(() => ({}));
  if (response.ok) return answer;
  if (response.status === 401 && answer.code === 'unauthenticated') onSignedOut();
  throw new CallError(response.status, answer.code, answer.detail ?? 'The node refused the request.');
}
