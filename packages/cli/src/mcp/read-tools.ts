import { READ_SCHEMAS } from '../generated/mcp-schemas.js';
import { catalog, pricePreview } from './catalog-tools.js';
import { connection, deploymentDetail, whyUnhealthy } from './deployment-tools.js';
import { deploymentFilter, deploymentOf, request, without, type Tool } from './tool.js';
import { partsOf } from '../why/parts.js';

export type ReadToolName = keyof typeof READ_SCHEMAS;
/** `whoami` belongs to the server, which knows its own rights. */
type OfTheApi = Exclude<ReadToolName, 'whoami'>;

/** Lists are short unless the caller asks for more. */
const FEW_LINES = 50;

export const READ_TOOLS: Readonly<Record<OfTheApi, Tool>> = {
  tree: {
    description: 'The organization: divisions, their environments and deployments, with ids for other tools.',
    run: async ({ landlord, options }) => ({ tenant: await landlord.tenants.getStructure({}, options) }),
  },
  find_deployments: {
    description: 'Deployments with status, reason and the id of the running operation.',
    run: async ({ landlord, options }, given) => ({
      found: await landlord.deployments.listAll(request(given), options),
    }),
  },
  deployment: {
    description: 'One deployment: order, terms, price, status, nodes and backups.',
    run: deploymentDetail,
  },
  connection: {
    description:
      'How clients connect: addresses of the nodes, user name, access rules. The password: a person runs "landlord deployments connect".',
    run: connection,
  },
  why_unhealthy: {
    description:
      'Why a deployment does not work: status, nodes, incidents, last operations, last warnings and errors of the logs.',
    run: whyUnhealthy,
  },
  operations: {
    description: 'Long work, newest first, with status, reason and incident.',
    run: async (call, given) => ({
      found: await call.landlord.operations.list(
        request(without(given, 'deployment'), await deploymentFilter(call, given)),
        call.options,
      ),
    }),
  },
  operation: {
    description: 'One operation with its steps. "wait" waits for its end, up to that many seconds.',
    run: async ({ landlord, options }, given) => ({
      operation: await landlord.operations.get(request(given), { ...options, timeoutMs: LONG_MS }),
    }),
  },
  metrics: {
    description: 'The newest metrics of each node. With node_id and runtime: these metrics over time.',
    run: async (call, given) => {
      const { deployment_id } = await deploymentOf(call, given);
      const { nodeMetrics } = call.landlord;
      if (given['node_id'] === undefined)
        return { latest: await nodeMetrics.getLatest({ deployment_id }, call.options) };
      const asked = { runtime: 'broker', ...without(given, 'deployment'), deployment_id };
      return { series: (await nodeMetrics.getSeries(request(asked), call.options)).points };
    },
  },
  logs: {
    description: 'Log lines of the nodes, newest first.',
    run: async (call, given) => {
      const { deployment_id } = await deploymentOf(call, given);
      const asked = { results: FEW_LINES, ...without(given, 'deployment'), deployment_id };
      return { found: await call.landlord.logs.list(request(asked), call.options) };
    },
  },
  config: {
    description:
      'The active configuration of the broker and all versions. With version: what changed since "against" (default: the version before).',
    run: async (call, given) => {
      const { deployment_id } = await deploymentOf(call, given);
      const { configs } = call.landlord;
      const asked = { ...without(given, 'deployment'), deployment_id, config_name: 'broker' };
      return partsOf({
        active: configs.getPrimary({ deployment_id }, call.options),
        versions: configs.list({ deployment_id }, call.options),
        ...(given['version'] !== undefined && {
          changes: configs.diff(request(asked), call.options).then(({ changes }) => changes),
        }),
      });
    },
  },
  audit: {
    description: 'Who did what, newest first.',
    run: async ({ landlord, options }, given) => ({ found: await landlord.audit.list(request(given), options) }),
  },
  catalog: {
    description:
      'What can be ordered: clouds; with cloud: regions; with region: compute sizes, how many more the plan permits, storages.',
    run: catalog,
  },
  price_preview: {
    description: 'The price per month of a new deployment or of an upgrade, and what blocks the order. Orders nothing.',
    run: pricePreview,
  },
  usage: {
    description: 'Usage and cost by deployment. Default: this month.',
    run: async ({ landlord, options }, given) => ({ found: await landlord.usage.list(request(given), options) }),
  },
};

/** Longer than the longest wait of an operation. */
const LONG_MS = 90_000;
