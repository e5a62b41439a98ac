import { singular } from './compute-kinds.js';
import { BASE, FACTS, imageOf, invalid, lastOf, machineType, notFound, regionOf, zonesOf } from './compute-places.js';
import type { Call, Resource } from './compute-places.js';
import type { ComputeStore } from './compute-store.js';

const BEGINNING = { creationTimestamp: '1969-12-31T16:00:00.000-08:00' };

/** What requests read. */
export class ComputeReads {
  constructor(
    private readonly store: ComputeStore,
    private readonly quotas: ReadonlyMap<string, number>,
  ) {}

  answer(call: Call): Resource {
    const { id, verb, link } = call;
    const ofProject = this.catalog[id.replace('compute.', '')]?.(call);
    if (ofProject) return ofProject;
    return verb === 'get'
      ? this.store.shown(link)
      : listOf(call, `${singular(call.collection)}List`, this.store.listed(call));
  }

  /** What every project has from the beginning, and members of groups. */
  private readonly catalog: Record<string, (call: Call) => Resource> = {
    'images.get': ({ link }) => imageOf(link),
    'images.getFromFamily': ({ link }) => imageOf(link),
    'machineTypes.get': ({ link, name, scope }) => {
      const type = machineType(name);
      if (!type) throw notFound(link);
      return { kind: 'compute#machineType', id: '1000', selfLink: BASE + link, zone: lastOf(scope), ...type };
    },
    'regions.get': ({ link, name, project }) => {
      if (!(name in FACTS.regions)) throw notFound(link);
      const zones = zonesOf(name).map((zone) => `${BASE}projects/${project}/zones/${zone}`);
      const region = { kind: 'compute#region', id: '1000', selfLink: BASE + link, name, ...BEGINNING, status: 'UP' };
      return { ...region, zones, quotas: this.quotasOf(project, name) };
    },
    'projects.get': ({ link, project: name }) => {
      const projectResource = { kind: 'compute#project', id: '1000', selfLink: BASE + link, name, ...BEGINNING };
      return { ...projectResource, quotas: this.quotasOf(name, '') };
    },
    'zones.list': (call) => {
      const zones = Object.keys(FACTS.regions).flatMap((region) => zonesOf(region));
      const zoneResources = zones.map((name) => ({
        ...{
          kind: 'compute#zone',
          id: '1000',
          name,
          ...BEGINNING,
          status: 'UP',
          selfLink: `${BASE}${call.link}/${name}`,
        },
        region: `${BASE}projects/${call.project}/regions/${regionOf(`zones/${name}`)}`,
      }));
      return listOf(call, 'zoneList', zoneResources);
    },
    'instanceGroups.listInstances': (call) => {
      const members = [...this.store.get(call.link).members].map((link) => this.store.shown(link));
      const items = members.map(({ selfLink: instance, status }) => ({ instance, status }));
      return listOf(call, 'instanceGroupsListInstances', items);
    },
  };

  /** Of the project when the region is empty. */
  private quotasOf(project: string, region: string): Resource[] {
    const of = (collection: string): Resource[] => this.counted(project, region, collection).map((one) => one.resource);
    const isHere = (collection: string): boolean =>
      /^(networks|subnetworks|firewalls|snapshots)$/.test(collection) === !region;
    const shown = Object.entries(FACTS.metrics)
      .filter(([collection]) => isHere(collection))
      .map(([collection, metric]) => ({
        metric,
        limit: this.quotas.get(collection) ?? 500,
        usage: of(collection).length,
      }));
    const cpus = of('instances').map((one) => machineType(lastOf(one.machineType))?.guestCpus ?? 0);
    const usage = cpus.reduce((sum, one) => sum + one, 0);
    return region ? [...shown, { metric: 'CPUS', limit: this.quotas.get('cpus') ?? 500, usage }] : shown;
  }

  private counted(project: string, region: string, collection: string): { resource: Resource }[] {
    const isIn = (link: string): boolean =>
      link.startsWith(`projects/${project}/`) && (!region || regionOf(link) === region);
    return this.store.of(collection).filter(({ link }) => isIn(link));
  }

  /** Why an insert in the scope goes beyond the quota. Null: nothing is beyond. */
  beyond({ project, scope }: Call, collection: string): string | null {
    const [most, region] = [this.quotas.get(collection), regionOf(scope)];
    if (most === undefined || this.counted(project, region, collection).length < most) return null;
    const place = region === '' ? 'globally' : `in region ${region}`;
    return `Quota '${FACTS.metrics[collection] ?? collection}' exceeded.  Limit: ${most}.0 ${place}.`;
  }
}

/** One page of a list. Throws when Google does not understand the filter. */
function listOf({ link, scope, collection, query }: Call, kind: string, resources: readonly Resource[]): Resource {
  const most = Number(query.get('maxResults') ?? 500);
  if (!(most >= 0 && most <= 500)) throw invalid('maxResults', most, 'It must be between 0 and 500.');
  const matching = resources.filter(filterOf(query.get('filter') ?? ''));
  const from = Number(query.get('pageToken') ?? 0);
  const page = matching.slice(from, from + (most || 500));
  const next = from + page.length < matching.length ? { nextPageToken: String(from + page.length) } : {};
  const list = { id: link, selfLink: BASE + link, ...next };
  if (scope !== 'aggregated') return { kind: `compute#${kind}`, ...list, ...(page.length > 0 && { items: page }) };
  const zones = Object.keys(FACTS.regions).flatMap((region) => zonesOf(region).map((zone) => `zones/${zone}`));
  const items = ['global', ...zones].map((one): [string, unknown] => {
    const inside = page.filter(({ selfLink }) => selfLink.includes(`/${one}/`));
    const message = `There are no results for scope '${one}' on this page.`;
    const warning = { code: 'NO_RESULTS_ON_PAGE', message, data: [{ key: 'scope', value: one }] };
    return [one, inside.length > 0 ? { [collection]: inside } : { warning }];
  });
  return { kind: `compute#${kind.replace('List', 'AggregatedList')}`, ...list, items: Object.fromEntries(items) };
}

/** The old form `name eq …`, or comparisons with one kind of word between them. */
function filterOf(text: string): (resource: Resource) => boolean {
  const [, sign, quoted, bare] = /^name (eq|ne) (?:"([^"]*)"|(\S+))$/.exec(text) ?? [];
  const pattern = new RegExp(`^(?:${quoted ?? bare})$`);
  if (sign) return ({ name }) => pattern.test(name) === (sign === 'eq');
  const isAny = text.includes(' OR ');
  const terms = text === '' ? [] : text.split(isAny ? ' OR ' : ' AND ').map((term) => termOf(term, text));
  return (resource) => (isAny ? terms.some((term) => term(resource)) : terms.every((term) => term(resource)));
}

function termOf(term: string, filter: string): (resource: Resource) => boolean {
  const [, path, sign, value] = /^\s*\(?\s*([\w.-]+)\s*(!?=)\s*("[^"]*"|[\w-]+)\s*\)?\s*$/.exec(term) ?? [];
  if (path === undefined) throw invalid('filter', filter, 'Invalid list filter expression.');
  const expected = value!.replaceAll('"', '');
  const read = (resource: Resource): unknown => path.split('.').reduce<any>((one, key) => one?.[key], resource);
  return (resource) => (read(resource) === expected) === (sign === '=');
}
