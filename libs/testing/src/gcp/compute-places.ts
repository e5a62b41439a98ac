import { readFileSync } from 'node:fs';
import type { GoogleRequest } from './google-document.js';

/** A resource as Google shows it. */
export type Resource = Record<string, any>;

interface Facts {
  /** Each region with the second byte of its range in networks in auto mode: `10.<byte>.0.0/20`. */
  regions: Record<string, number>;
  /** The memory of a machine for each of its CPUs, by the last part of its type. */
  mibPerCpu: Record<string, number>;
  publicRanges: string[];
  /** What a new resource shows: when its operation runs, halfway, when it is done. */
  states: Record<string, [string, string, string]>;
  /** The quota of each collection. */
  metrics: Record<string, string>;
  /** What Google adds to a new resource. Null: a fingerprint. */
  defaults: Record<string, Resource>;
}
export const FACTS = JSON.parse(readFileSync(new URL('./compute-facts.json', import.meta.url), 'utf8')) as Facts;
export const KINDS = Object.keys(FACTS.defaults).filter((name) => name.endsWith('s'));

/** The request is answered with the status, in Google's form of an error. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly reason: string,
    message: string,
    readonly domain = 'global',
  ) {
    super(message);
  }
}

export const invalid = (field: string, value: unknown, why: string): Refusal =>
  new Refusal(400, 'invalid', `Invalid value for field '${field}': '${String(value)}'. ${why}`);

export function notFound(link: string): Refusal {
  const isAttachment = link.includes('/serviceAttachments/');
  const message = isAttachment ? `serviceAttachment "${link}" not found` : `The resource '${link}' was not found`;
  return new Refusal(404, 'notFound', message);
}

export const BASE = 'https://www.googleapis.com/compute/v1/';
const LINK =
  /^(?:https:\/\/[\w.]+\/compute\/\w+\/)?(?:(projects\/[^/]+)\/)?((?:global|zones\/[\w-]+|regions\/[\w-]+)\/[\w-]+\/[\w./-]+)$/;

/** `projects/<project>/…`, from any form of a link. Empty: the text is no link. */
export function linkOf(text: unknown, project = ''): string {
  const match = typeof text === 'string' ? LINK.exec(text) : null;
  return match ? `${match[1] ?? `projects/${project}`}/${match[2]}` : '';
}

/** With all links in full, as Google shows them. Members without a value are left out. */
export function inFull(value: any, project: string): any {
  if (Array.isArray(value)) return value.map((one) => inFull(one, project));
  if (value === null || typeof value !== 'object') return linkOf(value) ? BASE + linkOf(value, project) : value;
  const given = Object.entries(value as Resource).filter(([, one]) => one !== null && one !== '');
  const isText = (key: string): boolean => ['description', 'metadata', 'labels'].includes(key);
  return Object.fromEntries(given.map(([key, one]) => [key, isText(key) ? one : inFull(one, project)]));
}

/** A request with the place of its resource. */
export interface Call {
  id: string;
  verb: string;
  project: string;
  /** `global`, `zones/<zone>`, `regions/<region>`, `aggregated`, or empty for the project itself. */
  scope: string;
  collection: string;
  name: string;
  /** Of the resource, or of what the request reads. */
  link: string;
  query: URLSearchParams;
  body: Resource;
}

const PATH = /^projects\/([^/]+)(?:\/(global|aggregated|(?:zones|regions)\/[^/]+(?=\/)))?(?:\/([^/]+))?(?:\/([^/]+))?/;
const PLACE = /^zones\/[a-z]+-[a-z]+\d+-[abcd]$|^regions\/[a-z]+-[a-z]+\d+$/;

export function callOf(id: string, { httpMethod, path, query, body }: GoogleRequest): Call {
  const [start, ...groups] = PATH.exec(path) ?? [''];
  const [project, scope, collection, name] = [0, 1, 2, 3].map((index) => groups[index] ?? '') as [
    string,
    string,
    string,
    string,
  ];
  const [kind = '', place = ''] = scope.split('/');
  if (place !== '' && !PLACE.test(scope)) throw invalid(kind.slice(0, -1), place, `Unknown ${kind.slice(0, -1)}.`);
  const link = httpMethod === 'GET' ? path : start;
  return { id, verb: id.split('.')[2] ?? '', project, scope, collection, name, link, query, body: body ?? {} };
}

/** Of a scope or a link. Empty: global. */
export const regionOf = (link: string): string => /(?:zones|regions)\/([a-z]+-[a-z]+\d+)/.exec(link)?.[1] ?? '';
export const lastOf = (link: string): string => link.split('/').at(-1) ?? '';
export const zonesOf = (region: string): string[] =>
  ['a', 'b', 'c', 'd'].filter((zone) => region + zone !== 'us-east1a').map((zone) => `${region}-${zone}`);

const TYPE =
  /^(e2|n1|n2d?|n4a?|c2d?|c3d?|c4[ad]?|t2[ad]|m3|z3)-(micro|small|medium|standard|highmem|highcpu|custom)(?:-(\d+))?(?:-(lssd|\d+))?$/;

/** Null: Google has no such type. */
export function machineType(name: string): Resource | null {
  const [, family = '', ratio = '', cpus = '2', more] = TYPE.exec(name) ?? [];
  const isSharedCpu = family === 'e2' && /^(micro|small|medium)$/.test(ratio);
  if (family === '' || isSharedCpu === /-\d/.test(name)) return null;
  const guestCpus = Number(cpus);
  const memoryMb = ratio === 'custom' ? Number(more) : guestCpus * FACTS.mibPerCpu[ratio]!;
  const architecture = /^(t2a|c4a|n4a)$/.test(family) ? 'ARM64' : 'X86_64';
  const local = { bundledLocalSsds: { defaultInterface: 'NVME', partitionCount: Math.ceil(guestCpus / 4) } };
  return { name, guestCpus, memoryMb, architecture, isSharedCpu, ...(more === 'lssd' && local) };
}

/** An image of Google's own projects. Throws 404. */
export function imageOf(link: string): Resource {
  const [, project, ofFamily, asked = ''] =
    /^projects\/([a-z-]+-cloud)\/global\/images\/(family\/)?(.+)$/.exec(link) ?? [];
  if (!/^(debian|ubuntu|rocky|rhel|cos)-/.test(asked)) throw notFound(link);
  const family = asked.replace(/-v\d+$/, '');
  const name = ofFamily === undefined ? asked : `${family}-v20231010`;
  const architecture = /arm64/.test(name) ? 'ARM64' : 'X86_64';
  const made = { id: '2443108620951880213', creationTimestamp: '2023-10-10T12:34:56.123-07:00', diskSizeGb: '10' };
  const selfLink = `${BASE}projects/${project}/global/images/${name}`;
  return { kind: 'compute#image', name, family, selfLink, architecture, status: 'READY', ...made };
}

const numberOf = (address: string): number => address.split('.').reduce((sum, byte) => sum * 256 + Number(byte), 0);
const addressOf = (number: number): string => [24, 16, 8, 0].map((bits) => (number >>> bits) & 255).join('.');

function boundsOf(range: string): [first: number, last: number] {
  const [address = '', bits] = range.split('/');
  return [numberOf(address), numberOf(address) + 2 ** (32 - Number(bits)) - 1];
}

export function overlap(one: string, other: string): boolean {
  const [[first, last], [otherFirst, otherLast]] = [boundsOf(one), boundsOf(other)];
  return first <= otherLast && otherFirst <= last;
}

export function isRange(range: string): boolean {
  const [first, last] = boundsOf(range);
  return /^(\d{1,3}\.){3}\d{1,3}\/([4-9]|1\d|2\d)$/.test(range) && first % (last - first + 1) === 0;
}

/** The free addresses, without those that Google keeps: the first two and the last two. */
export function* freeAddresses(range: string, usedAddresses: ReadonlySet<string>): Generator<string> {
  const [first, last] = boundsOf(range);
  for (let number = first + 2; number <= last - 2; number += 1)
    if (!usedAddresses.has(addressOf(number))) yield addressOf(number);
}

export const gatewayOf = (range: string): string => addressOf(boundsOf(range)[0] + 1);
