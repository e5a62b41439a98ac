import { APP_NAMES, built, loadApp } from './apps.mjs';
import { routesOf } from '../../test/architecture/sources/route-walk.mjs';

/** The features for plan terms that no route checks yet. A term that a route declares must not be in this list. */
const LATER = {
  cross_region_dr_enabled: 'backups in a second region',
  custom_domains_limit: 'custom domains of deployments',
  on_premise_enabled: 'cells that a customer runs',
};

/** Each limit, its value in each plan, and the routes that enforce it. */
export async function planFiles() {
  const { LIMITS, FEATURE_FLAGS, PLANS } = await built('libs/domain/src/index.js');
  const { loadCatalog, TIERS } = await built('libs/catalog/src/index.js');
  const catalog = loadCatalog(undefined);
  const routes = await routesByTerm();
  const values = (read) => PLANS.map((plan) => String(read(catalog.plan(plan))).padStart(PLAN_WIDTH)).join('');
  const tier = (plan, name) => plan.deployment_tiers.find((row) => row.tier === name)?.limit ?? 0;
  const line = (name, read, term = name) => [`${name.padEnd(NAME_WIDTH)}${values(read)}  ${where(term, routes)}`];
  return {
    'plans.txt': [
      `${'# limit'.padEnd(NAME_WIDTH)}${PLANS.map((plan) => plan.padStart(PLAN_WIDTH)).join('')}  held to by`,
      ...LIMITS.flatMap((name) => line(name, (plan) => plan.limits[name])),
      ...TIERS.flatMap((name) => line(`deployment_tiers ${name}`, (plan) => tier(plan, name), 'deployment_tiers')),
      ...FEATURE_FLAGS.flatMap((name) => line(name, (plan) => (plan.flags[name] ? 'yes' : 'no'))),
      '',
    ].join('\n'),
  };
}

const NAME_WIDTH = 42;
const PLAN_WIDTH = 12;

async function routesByTerm() {
  const { PLAN } = await built('libs/http/src/index.js');
  const found = new Map();
  for (const app of APP_NAMES)
    for (const { method, path, handler } of routesOf((await loadApp(app)).module))
      for (const term of Reflect.getMetadata(PLAN, handler) ?? [])
        found.set(term, [...(found.get(term) ?? []), `${app}: ${method} ${path}`]);
  return found;
}

function where(term, routes) {
  const declared = routes.get(term);
  if (declared && term in LATER) throw new Error(`${term} is held to by ${declared.join(', ')}: take it off LATER`);
  if (!declared && !(term in LATER)) throw new Error(`no route declares ${term}: @WithinPlan('${term}')`);
  return declared ? declared.sort().join(', ') : `later: ${LATER[term]}`;
}
