import type { InventoryTags } from '../cloud-provider.js';
import type { Owner, Page, Observed } from '../driver/driver-kind.js';
import type { Remembered } from '../driver/driver-memory.js';
import { wordOf } from '../driver/short-name.js';
import type { FirewallIngress, ResourceSpecs } from '../resource-specs.js';
import type { GcpApi } from './gcp-api.js';
import { filterOfAll, ownedPage, resourcesOf, observedByName, observedState, type GcpKind } from './gcp-kind.js';
import { baseName, gcpName } from './gcp-names.js';
import type { GcpResource } from './gcp-shapes.js';
import { isRunning, type GcpWork } from './gcp-work.js';

const KIND = 'firewall';
const RULE = 'rule ';
/** Google checks the health of the nodes behind a balancer from here. */
const HEALTH_CHECKS = ['130.211.0.0/22', '209.85.152.0/22', '209.85.204.0/22', '35.191.0.0/16'];

type FirewallRule = GcpResource & { network?: string };

/** The sources that may reach some ports. Google takes sources of one version of IP in a rule. */
interface Sources {
  allowed: { IPProtocol: string; ports: string[] }[];
  sourceRanges: string[];
}

/** The tag of the nodes of a firewall, which is also the name of the rule between them. */
export const tagOf = (installation: string, name: string): string => gcpName(installation, KIND, name);

/** Rules for the instances with a tag. They reach each other on all ports; clients reach the ports of the specification. */
export class GcpFirewalls implements GcpKind<typeof KIND> {
  readonly pollAfterMs = 2_000;
  readonly forgetsEnded = true;

  async build(work: GcpWork, { network, ingress }: ResourceSpecs['firewall']): Promise<void> {
    const { installation } = work.tags;
    const tag = tagOf(installation, work.key.name);
    const common = { network: await work.pathOfOther('network', network, 'network'), targetTags: [tag] };
    const between = { ...common, direction: 'INGRESS', allowed: [{ IPProtocol: 'all' }], sourceTags: [tag] };
    if (!(await work.bring({ part: KIND, path: rulePath(work.api, tag), body: () => between }))) return;
    const wanted = new Map(sourcesOf(ingress).map((one) => [partOf(one), one]));
    // Adds the missing rules first, so that a change never closes a port that stays open.
    let isWhole = true;
    for (const [part, sources] of wanted) {
      const path = rulePath(work.api, gcpName(installation, KIND, work.key.name, part));
      isWhole =
        (await work.bring({ part, path, body: () => ({ ...common, direction: 'INGRESS', ...sources }) })) && isWhole;
    }
    if (!isWhole) return;
    for (const part of work.partsOf(RULE)) if (!wanted.has(part)) await this.discard(work, part);
  }

  async look(api: GcpApi, memories: ReadonlyMap<string, Remembered>): Promise<Map<string, Observed<typeof KIND>>> {
    const resources = await resourcesOf<FirewallRule>(api, memories, KIND);
    return observedByName(resources, ({ owner, path, resource: rule, memory }) =>
      observedRule(owner, path, rule, memory),
    );
  }

  /** The rule between the nodes is the last one. */
  async remove(work: GcpWork, installation: string): Promise<boolean> {
    const path = rulePath(work.api, tagOf(installation, work.key.name));
    await work.api.find(path);
    await work.startDeletion();
    let isGone = true;
    for (const part of work.partsOf(RULE)) isGone = (await this.discard(work, part, installation)) && isGone;
    return isGone && (await work.discard(KIND, path));
  }

  async list(api: GcpApi, tags: InventoryTags, cursor: string | null): Promise<Page<typeof KIND>> {
    const page = await api.list<FirewallRule>(`${api.global}/firewalls`, filterOfAll(tags), cursor);
    return ownedPage(KIND, tags, page, (owner, one) => observedRule(owner, rulePath(api, one.name), one, undefined));
  }

  notVisibleYet(): { network: string } {
    return { network: '' };
  }

  private discard(work: GcpWork, part: string, installation = work.tags.installation): Promise<boolean> {
    return work.discard(part, rulePath(work.api, gcpName(installation, KIND, work.key.name, part)));
  }
}

const rulePath = (api: GcpApi, name: string): string => `${api.global}/firewalls/${name}`;

/** Another rule has another name: the ports and sources of a rule never change. */
const partOf = (sources: Sources): string => `${RULE}${wordOf([JSON.stringify(sources)], 12)}`;

/** The ports with the same sources share a rule. */
function sourcesOf(ingress: readonly FirewallIngress[]): Sources[] {
  const tcp = [...new Set(ingress.filter(({ protocol }) => protocol === 'tcp').map(({ port }) => String(port)))];
  const checks =
    tcp.length === 0 ? [] : [{ allowed: [{ IPProtocol: 'tcp', ports: tcp }], sourceRanges: HEALTH_CHECKS }];
  const groups = new Map<string, Sources>();
  for (const { protocol, port, cidrs } of ingress)
    for (const version of [cidrs.filter(isVersion4), cidrs.filter((cidr) => !isVersion4(cidr))]) {
      const sourceRanges = [...version].sort();
      if (sourceRanges.length === 0) continue;
      const key = sourceRanges.join();
      const group = groups.get(key) ?? { allowed: [], sourceRanges };
      groups.set(key, group);
      addPort(group, protocol, port);
    }
  return [...groups.values(), ...checks];
}

const isVersion4 = (cidr: string): boolean => !cidr.includes(':');

function addPort({ allowed }: Sources, IPProtocol: string, port: number): void {
  const same = allowed.find((one) => one.IPProtocol === IPProtocol);
  if (same) same.ports.push(String(port));
  else allowed.push({ IPProtocol, ports: [String(port)] });
}

function observedRule(
  owner: Owner,
  path: string,
  rule: FirewallRule | null,
  memory: Remembered | undefined,
): Observed<typeof KIND> | null {
  const state = observedState({ resource: rule, memory }, memory && isRunning(memory) ? 'pending' : 'active');
  return state && { ...owner, id: path, state, attributes: { network: baseName(rule?.network ?? '') } };
}
