import { get as getPlain } from 'node:http';
import { get as getByTls } from 'node:https';

/**
 * The status of an app of this host at a URL of the loopback. Null: no answer. The certificate is not verified, because it is for
 * the public name of the app.
 */
export function loopbackStatus(url: string, signal: AbortSignal): Promise<number | null> {
  const get = url.startsWith('https:') ? getByTls : getPlain;
  return new Promise((resolve) => {
    const request = get(url, { signal, rejectUnauthorized: false, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode ?? null);
    });
    request.on('error', () => resolve(null));
  });
}
