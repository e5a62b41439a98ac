import type { Agent } from 'node:http';
import { HttpProxyAgent } from 'http-proxy-agent';
import { HttpsProxyAgent } from 'https-proxy-agent';
import { getProxyForUrl } from 'proxy-from-env';

/** The proxy of the environment for a request, with its address. Null where `no_proxy` names the host. */
export function proxyFor(url: string): { agent: Agent; name: string } | null {
  const proxy = getProxyForUrl(url);
  if (proxy === '') return null;
  const agent = url.startsWith('https:') ? new HttpsProxyAgent(proxy) : new HttpProxyAgent(proxy);
  // The address can have a password.
  return { agent, name: new URL(proxy).origin };
}
