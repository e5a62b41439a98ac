// What the resources of each app have in common: their owner, their places in the lists of the project, and their calls in the
// matrix of all routes.

const NEW_NAME = '(world) => ({ name: world.name() })';

/** Calls of the five routes for the matrix. `title`: of a route by its method. `one`, `list`: the ids of its path. */
const callsOf = (title, { list, one }) => [
  `${title('GET', '')}: { status: 200${list} }`,
  `${title('POST', '')}: { status: 201${list}, body: ${NEW_NAME} }`,
  `${title('GET', '/one')}: { status: 200, path: ${one} }`,
  `${title('PUT', '/one')}: { status: 204, path: ${one}, body: ${NEW_NAME} }`,
  `${title('DELETE', '/one')}: { status: 204, path: ${one} }`,
];

const valuesOf = (owner, table, word) =>
  `\`insert into ${table} (${owner}_id, name) select n / 100, '${word} ' || n from generate_series(1, \${ROWS}) n\``;

const ofTenant = {
  ...{ group: 'organization', owner: 'tenant', Owner: 'Tenant', writer: 'main_api', exposesHeaders: false },
  permissions: { read: 'settings:read', manage: 'settings:manage' },
  errors: [],
  chapter: '08-organization.md',
  repositories: [],
  moduleImports: [{ name: 'TenantsModule', line: `import { TenantsModule } from '../tenants/index.js';` }],
  rows: 'ORGANIZATION',
  ...{ calls: 'PLACES', typeormRows: 'PEOPLE' },
  matrixRows({ table, snake, method }) {
    const title = (verb, end) => `[\`main-api: ${verb} \${T}/${table}${end && `/:${snake}_id`}\`]`;
    return callsOf(title, { list: '', one: `(world) => world.${method}()` });
  },
  worldMethod: ({
    table,
    snake,
    method,
    aWord,
  }) => `  /** ${aWord[0].toUpperCase()}${aWord.slice(1)}, by the ids of its path. */
  async ${method}(): Promise<Record<'${snake}_id', number>> {
    const created = await this.cloud.main().post(\`\${this.cloud.tenant}/${table}\`, { name: this.name() });
    return { ${snake}_id: this.idOf(created) };
  }

`,
  updatable: ({ table, snake, method }) => `'main-api: PUT /tenants/:tenant_id/${table}/:${snake}_id': {
    of: async (world) => \`\${world.cloud.tenant}/${table}/\${(await world.${method}()).${snake}_id}\`,
    changes: some({ name, description: text }),
  }`,
  largeTable: ({ table, word }) => valuesOf('tenant', table, word),
};

const ofDeployment = {
  ...{ group: 'runtime', owner: 'deployment', Owner: 'Deployment', writer: 'supervisor', exposesHeaders: true },
  permissions: { read: 'deployment:read', manage: 'deployment:manage' },
  errors: ['state_conflict'],
  chapter: '12-deployments.md',
  repositories: ['RuntimesRepository'],
  moduleImports: [],
  rows: 'DEPLOYMENTS',
  ...{ calls: 'DEPLOYMENTS', typeormRows: 'DEPLOYMENTS' },
  matrixRows({ table, snake, method }) {
    const title = (verb, end) => `'supervisor: ${verb} /deployments/:deployment_id/${table}${end && `/:${snake}_id`}'`;
    return callsOf(title, { list: ', path: deployment', one: `(world) => world.${method}()` });
  },
  worldMethod: ({
    table,
    snake,
    method,
    aWord,
  }) => `  /** ${aWord[0].toUpperCase()}${aWord.slice(1)} of a new deployment, by the ids of its path. */
  async ${method}(): Promise<Record<'deployment_id' | '${snake}_id', number>> {
    const deployment_id = await this.deployment();
    const path = \`/deployments/\${deployment_id}/${table}\`;
    const created = await this.cloud.runtime().post(path, { name: this.name() });
    return { deployment_id, ${snake}_id: this.idOf(created) };
  }

`,
  updatable: ({ table, snake, method }) => `'supervisor: PUT /deployments/:deployment_id/${table}/:${snake}_id': {
    app: 'runtime',
    of: async (world) => {
      const { deployment_id, ${snake}_id } = await world.${method}();
      return \`/deployments/\${deployment_id}/${table}/\${${snake}_id}\`;
    },
    changes: some({ name, description: text }),
  }`,
  largeTable: ({ table, word }) => valuesOf('deployment', table, word),
};

export const APPS = { 'main-api': ofTenant, supervisor: ofDeployment };
