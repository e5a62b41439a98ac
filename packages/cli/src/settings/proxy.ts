import type { Agent } from 'node:http';
import { HttpProxyAgent } from 'http-proxy-agent';
import { HttpsProxyAgent } from 'https-proxy-agent';
import { getProxyForUrl } from 'proxy-from-env';

/** The agent for a request by the proxy of the environment. Nothing where `no_proxy` names the host. */
export function agentFor(url: string): { agent?: Agent } {
  const proxy = getProxyForUrl(url);
  if (proxy === '') return {};
  return { agent: url.startsWith('https:') ? new HttpsProxyAgent(proxy) : new HttpProxyAgent(proxy) };
}
