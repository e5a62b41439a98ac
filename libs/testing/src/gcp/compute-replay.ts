import { ComputeClient } from './compute-client.js';
import { FakeCompute } from './fake-compute.js';
import { FACTS, linkOf, type Resource } from './compute-places.js';

/** A recorded request with its answer. */
export type Exchange = [
  id: string,
  httpMethod: string,
  url: string,
  body: Resource | null,
  status: number,
  answer: Resource,
];

/** What the fake answered to a recorded request. */
export interface Replayed {
  id: string;
  status: number;
  answer: Resource;
  /** The members that differ, as `<path>: <recorded> / <ours>`. Null: a method that is not ours changed the resource before. */
  differences: string[] | null;
}

interface Known {
  /** Its link in the recording. */
  recorded: string;
  name: string;
  /** Of a subnetwork. */
  purpose: string;
  /** Whether a method that is not ours changed it. */
  isForeign: boolean;
  /** Whether the run has it. Google makes some of what is not ours, such as an instance of a template. */
  isMade: boolean;
}

const PROJECT = 'landlord-test';
/** A name of the recording, such as `${diskID}`, as a part of a link. */
const NAME = /_[a-zA-Z]+ID_/;

/**
 * Sends the requests of one recorded story to a fake, with the names of the run. The names of the recording repeat for different
 * resources of a story: the latest resource that fits is meant, or the one whose answer fits.
 */
export class ComputeReplay {
  private readonly known: Known[] = [];
  private readonly operations: { recorded: string; type: string; link: string }[] = [];
  private names = 0;
  /** The latest operation. */
  private latest: Resource = {};

  private readonly google: ComputeClient;

  private constructor(private readonly fake: FakeCompute) {
    this.google = new ComputeClient(fake);
  }

  /** Replays what is ours. Null for the other requests. Throws when Google's schemas refuse a request or an answer. */
  static async story(exchanges: readonly Exchange[], isOurs: (id: string) => boolean): Promise<(Replayed | null)[]> {
    const projects = [PROJECT, 'example-project-01'];
    const replay = new ComputeReplay(await FakeCompute.start({ projects, operationMs: 0 }));
    const results: (Replayed | null)[] = [];
    for (const [index, exchange] of exchanges.entries()) {
      // An operation failed for a reason that the story does not show, such as a firewall that a cluster made.
      const [failed] = endOf(exchange, exchanges.slice(index + 1));
      if (failed) replay.fake.failNextOperation(exchange[0], failed.code, failed.message);
      results.push(isOurs(exchange[0]) ? await replay.replayed(exchange) : replay.foreign(exchange));
    }
    await replay.fake.stop();
    if (replay.fake.faults.length > 0) throw new Error(replay.fake.faults.join('\n'));
    return results;
  }

  private async replayed(exchange: Exchange): Promise<Replayed | null> {
    const [id, httpMethod, url, , status] = exchange;
    const link = ofRun(url.split('?')[0]!);
    if (id.endsWith('Operations.get')) return this.operation(exchange);
    if (id.endsWith('.insert')) return this.insert(exchange, link);
    if (!NAME.test(link) || status === 404) return this.sent(exchange, link.replaceAll(/_[a-zA-Z]+ID_/g, 'none'));
    if (httpMethod === 'GET') return this.read(exchange, link);
    const target = this.known.findLast(({ recorded }) => link.startsWith(recorded));
    return target ? this.changed(exchange, link, target) : null;
  }

  private async insert(exchange: Exchange, collection: string): Promise<Replayed | null> {
    const body = exchange[3]!;
    const isTemplate = /instances$/.test(collection) && !body.machineType;
    const isReserved = /subnetworks$/.test(collection) && !body.ipCidrRange;
    const asked = isTemplate || isReserved ? null : await this.bodyOf(exchange);
    const isMade = asked !== null && !isAboutNone(asked);
    const name = `x${(this.names += 1)}x`;
    const sent = isMade ? await this.sent(exchange, collection, { ...asked, name }) : null;
    const recorded = `${collection}/${ofRun(body.name)}`;
    this.known.push({ recorded, name, purpose: body.purpose ?? '', isForeign: false, isMade });
    return sent;
  }

  private async changed(exchange: Exchange, link: string, target: Known): Promise<Replayed | null> {
    const [id, , , body] = exchange;
    const path = link.replace(NAME, target.name);
    const asked = body && { ...(await this.bodyOf(exchange)), ...(await this.fingerprints(path, body)) };
    if (asked?.name) asked.name = target.name;
    if (!target.isMade || isAboutNone(asked)) return this.foreign(exchange);
    const sent = await this.sent(exchange, path, asked);
    const isKept = this.known.some((one) => one.isForeign && JSON.stringify(sent.answer).includes(`/${one.name}'`));
    if (sent.status === 400 && isKept) return null;
    const isGone = id.endsWith('.delete') && sent.status === 200 && this.latest.error === undefined;
    if (isGone) this.known.splice(this.known.indexOf(target), 1);
    return sent;
  }

  /** The recording has the same text for every fingerprint. */
  private async fingerprints(path: string, body: Resource): Promise<Resource> {
    if (!body.fingerprint && !body.labelFingerprint) return {};
    const { fingerprint, labelFingerprint } = (await this.google.ask('GET', path.replace(/\/[a-z]+[A-Z]\w+$/, '')))[1];
    return { ...(body.fingerprint && { fingerprint }), ...(body.labelFingerprint && { labelFingerprint }) };
  }

  private async read(exchange: Exchange, link: string): Promise<Replayed | null> {
    if (!this.known.some(({ recorded }) => recorded === link)) await this.give(exchange, link);
    const fitting = this.known.filter(({ recorded, isMade }) => recorded === link && isMade).reverse();
    const isUnmade = this.known.some(({ recorded, isMade }) => recorded === link && !isMade);
    const matches: { replayed: Replayed; one: Known }[] = [];
    for (const one of fitting) matches.push({ replayed: await this.sent(exchange, link.replace(NAME, one.name)), one });
    const [best] = matches.sort((a, b) => a.replayed.differences!.length - b.replayed.differences!.length);
    if (!best || (isUnmade && best.replayed.differences!.length > 0)) return null;
    // The story goes on with the resource that it read.
    this.known.push(...this.known.splice(this.known.indexOf(best.one), 1));
    return best.one.isForeign ? { ...best.replayed, differences: null } : best.replayed;
  }

  /** Networks that were there before the story. */
  private async give([, , , , , answer]: Exchange, link: string): Promise<void> {
    const network = linkOf(answer.network ? ofRun(answer.network) : link);
    if (!/\/networks\//.test(network) || answer.autoCreateSubnetworks === false) return;
    const name = `x${(this.names += 1)}x`;
    const { description } = answer.network ? { description: '' } : answer;
    const body = { name, description, autoCreateSubnetworks: true };
    const [, { selfLink }] = await this.google.ask('POST', network.replace(/\/[^/]+$/, ''), body);
    await this.rest(linkOf(selfLink));
    this.known.unshift({ recorded: network, name, purpose: '', isForeign: false, isMade: true });
    for (const region of Object.keys(FACTS.regions)) {
      const recorded = network.replace('global/networks', `regions/${region}/subnetworks`);
      this.known.unshift({ recorded, name, purpose: '', isForeign: false, isMade: true });
    }
  }

  private async operation(exchange: Exchange): Promise<Replayed | null> {
    const { targetLink, operationType } = exchange[5];
    const target = linkOf(ofRun(targetLink));
    const operation = this.operations.findLast(({ recorded, type }) => recorded === target && type === operationType);
    if (operation) return this.sent(exchange, operation.link);
    for (const one of this.known) if (one.recorded === target) one.isForeign = true;
    return null;
  }

  /** A request of a method that is not ours. */
  private foreign([, httpMethod, url]: Exchange): null {
    const link = ofRun(url.split('?')[0]!);
    for (const one of this.known) if (httpMethod !== 'GET' && link.startsWith(one.recorded)) one.isForeign = true;
    return null;
  }

  /** With the names of the run. A name that repeats in one body means one resource after the other. */
  private async bodyOf([id, , url, body]: Exchange): Promise<Resource> {
    const project = ofRun(url).split('/')[1] ?? PROJECT;
    const used = new Map<string, number>();
    const visit = async (value: any, key = ''): Promise<any> => {
      if (Array.isArray(value)) return Promise.all(value.map((one) => visit(one, key)));
      if (typeof value === 'string') return this.named(ofRun(value), project, used, key);
      if (value === null || typeof value !== 'object') return value;
      // Only Google takes no value and an empty text for a member that is not there.
      const given = Object.entries(value as Resource).filter(([, one]) => one !== null && one !== '');
      const entries: [string, unknown][] = [];
      for (const [name, one] of given) entries.push([name, await visit(one, name)]);
      return Object.fromEntries(entries);
    };
    const asked = await visit(body);
    // The recorder takes the bare name of a type, and Google does not.
    if (id === 'compute.instances.insert' && !asked.machineType.includes('/'))
      asked.machineType = `zones/${/zones\/([\w-]+)/.exec(url)![1]}/machineTypes/${asked.machineType}`;
    return asked;
  }

  private async named(text: string, project: string, used: Map<string, number>, key: string): Promise<string> {
    const link = linkOf(text, project);
    if (!NAME.test(link)) return text;
    if (/\/networks\//.test(link) && !this.known.some(({ recorded }) => recorded === link))
      await this.give(['', '', '', null, 200, {}], link);
    const all = this.known.filter(({ recorded, isMade }) => recorded === link && isMade);
    const ofPurpose = all.filter(({ purpose }) => (purpose === 'PRIVATE_SERVICE_CONNECT') === (key === 'natSubnets'));
    const fitting = ofPurpose.length > 0 ? ofPurpose : all;
    const isRepeated = /disks|instances/.test(link);
    const at = isRepeated ? (used.get(link) ?? 0) : -1;
    used.set(link, at + 1);
    return text.replace(NAME, fitting.at(at)?.name ?? 'none');
  }

  private async sent(exchange: Exchange, path: string, body?: Resource | null): Promise<Replayed> {
    const [id, httpMethod, , , recordedStatus, recorded] = exchange;
    const [status, answer] = await this.google.ask(httpMethod, path, body);
    const link = answer.kind === 'compute#operation' && httpMethod !== 'GET' ? linkOf(answer.selfLink) : '';
    if (link) {
      this.operations.push({ recorded: linkOf(ofRun(recorded.targetLink ?? '')), type: answer.operationType, link });
      await this.rest(link);
    }
    const ofStatus =
      status === recordedStatus ? [] : [`status: ${recordedStatus} / ${status} ${JSON.stringify(answer)}`];
    return { id, status, answer, differences: [...ofStatus, ...differences(recorded, answer)] };
  }

  /** Until the operation is done. */
  private async rest(operation: string): Promise<void> {
    do {
      await new Promise((resolve) => setTimeout(resolve, 1));
      [, this.latest] = await this.google.ask('GET', operation);
    } while (this.latest.status !== 'DONE');
  }
}

/** The errors that the operation of a request ended with, according to the next answer about it. */
function endOf([, httpMethod, , , , { targetLink, operationType }]: Exchange, next: readonly Exchange[]): Resource[] {
  const isEnd = (answer: Resource): boolean =>
    answer.status === 'DONE' && answer.targetLink === targetLink && answer.operationType === operationType;
  const end = httpMethod === 'GET' || !targetLink ? undefined : next.find(([, , , , , answer]) => isEnd(answer));
  return end?.[5].error?.errors ?? [];
}

/** Whether a body names what the run does not have. */
const isAboutNone = (body: Resource | null): boolean =>
  /(networks|subnetworks|instances|disks|backendServices|forwardingRules)\/none"/.test(JSON.stringify(body));

/** A text of the recording with the project of the run. */
const ofRun = (text: string): string =>
  text
    .replaceAll('${projectId}', PROJECT)
    .replaceAll('${uniqueId}', 'u1')
    .replaceAll(/\$\{(\w+ID)\}/g, '_$1_');

/** Members whose values Google makes up. */
const MADE_UP =
  /^(id|\w+Id|creationTimestamp|\w+Time|fingerprint|labelFingerprint|address|IPAddress|natIP|networkIP|gatewayAddress|selfLinkWithId|name)$/;

function differences(recorded: unknown, ours: unknown, path = ''): string[] {
  if (recorded !== null && ours !== null && typeof recorded === 'object' && typeof ours === 'object') {
    const keys = [...new Set([...Object.keys(recorded), ...Object.keys(ours)])];
    return keys.flatMap((key) =>
      differences(
        (recorded as Resource)[key],
        (ours as Resource)[key],
        /^\d+$/.test(key) ? `${path}[]` : `${path}.${key}`,
      ),
    );
  }
  const key = path.split('.').pop()!;
  const isSame = MADE_UP.test(key) && recorded !== undefined && ours !== undefined;
  return isSame || comparable(recorded) === comparable(ours)
    ? []
    : [`${path}: ${comparable(recorded)} / ${comparable(ours)}`];
}

/** Without the host, the version, the project and the names of the recording and of the run. */
const comparable = (value: unknown): string =>
  ofRun(String(value))
    .replaceAll(/https:\/\/[\w.]+\/compute\/\w+\//g, '')
    .replaceAll(/projects\/[^/]+\/(global\/(?=regions|zones))?/g, '')
    .replaceAll(/_[a-zA-Z]+ID_|\bx\d+x\b|\bnone\b|operation-[\w-]+/g, '<name>')
    // A firewall that a cluster made.
    .replaceAll(/<name>-[a-z0-9]{24}/g, '<name>');
