// Elements that a module creates.
import { edit, withImport } from '../edit.mjs';

const moduleImport = ({ module }) => (module === null ? '' : `import { ${module.Class} } from '${module.path}';\n`);

/** The test that the decorator of the module lists the element. */
const registration = (list, { Class, module }) =>
  module === null
    ? ''
    : `

  it('is registered in its module', () => {
    expect(Reflect.getMetadata('${list}', ${module.Class})).toEqual(expect.arrayContaining([${Class}]));
  });`;

/** A spec that creates the element as Nest does. */
const specOf = (list) => (names) => `import { Test } from '@nestjs/testing';
${moduleImport(names)}import { ${names.Class} } from './${names.stem}.js';

describe('${names.Class}', () => {
  it('is created by Nest', async () => {
    const module = await Test.createTestingModule({ ${list}: [${names.Class}] }).compile();

    expect(module.get(${names.Class})).toBeInstanceOf(${names.Class});
  });${registration(list, names)}
});
`;

export const SERVICE = {
  suffix: 'service',
  ending: 'Service',
  list: 'providers',
  code: ({ Class, words }) => `import { Injectable } from '@nestjs/common';

/** Checks, decides and writes for ${words}. */
@Injectable()
export class ${Class} {}
`,
  spec: specOf('providers'),
};

export const PROVIDER = {
  suffix: '',
  ending: '',
  list: 'providers',
  code: ({ Class, words }) => `import { Injectable } from '@nestjs/common';

/** The ${words}, for the other providers of the module. */
@Injectable()
export class ${Class} {}
`,
  spec: specOf('providers'),
};

export const CONTROLLER = {
  suffix: 'controller',
  ending: 'Controller',
  list: 'controllers',
  code: ({ Class, CONSTANT, words, Words }) => `import { Routes } from '@libs/http';

/** The routes of ${words}. Each declares its callers: the app does not start with a route without a declaration. */
@Routes('${CONSTANT.toLowerCase()}', '${Words}')
export class ${Class} {}
`,
  spec: (names) => `import { Test } from '@nestjs/testing';
${moduleImport(names)}import { ${names.Class} } from './${names.stem}.js';

describe('${names.Class}', () => {
  it('is created by Nest, and has its path', async () => {
    const module = await Test.createTestingModule({ controllers: [${names.Class}] }).compile();

    expect(module.get(${names.Class})).toBeInstanceOf(${names.Class});
    expect(Reflect.getMetadata('path', ${names.Class})).toBe('${names.CONSTANT.toLowerCase()}');
  });${registration('controllers', names)}
});
`,
};

export const RESOLVER = {
  suffix: 'resolver',
  ending: 'Resolver',
  list: 'providers',
  packages: ['@nestjs/graphql', 'graphql'],
  code: ({ Class, words }) => `import { Resolver } from '@nestjs/graphql';

/** The queries and mutations of ${words}. */
@Resolver()
export class ${Class} {}
`,
  spec: specOf('providers'),
};

const CREATE_APP = 'libs/http/src/create-app.ts';

/** Every app can have gateways: createApp gives it the adapter. */
function connectGateways(tree) {
  if (tree.read(CREATE_APP).toString().includes('WsAdapter')) return;
  edit(tree, CREATE_APP, withImport(`import { WsAdapter } from '@nestjs/platform-ws';`));
  edit(tree, CREATE_APP, (text) =>
    text.replace('  app.enableShutdownHooks();\n', (line) => `  app.useWebSocketAdapter(new WsAdapter(app));\n${line}`),
  );
}

export const GATEWAY = {
  suffix: 'gateway',
  ending: 'Gateway',
  list: 'providers',
  packages: ['@nestjs/websockets', '@nestjs/platform-ws'],
  connect: connectGateways,
  code: ({
    Class,
    CONSTANT,
    words,
  }) => `import { type OnGatewayConnection, WebSocketGateway } from '@nestjs/websockets';
import type { WebSocket } from 'ws';

/** The caller is not admitted (RFC 6455, 7.4.1). */
const NOT_ADMITTED = 1008;

/** The WebSockets of ${words}. It closes every connection until it checks callers: the guard of the routes does not see them. */
@WebSocketGateway({ path: '/${CONSTANT.toLowerCase()}' })
export class ${Class} implements OnGatewayConnection<WebSocket> {
  handleConnection(client: WebSocket): void {
    client.close(NOT_ADMITTED, 'This gateway refuses every client.');
  }
}
`,
  spec: (names) => `import { once } from 'node:events';
import { WsAdapter } from '@nestjs/platform-ws';
import { Test } from '@nestjs/testing';
import { WebSocket } from 'ws';
${moduleImport(names)}import { ${names.Class} } from './${names.stem}.js';

describe('${names.Class}', () => {
  it('closes the connection of a caller that it does not know', async () => {
    const module = await Test.createTestingModule({ providers: [${names.Class}] }).compile();
    const app = module.createNestApplication();
    app.useWebSocketAdapter(new WsAdapter(app));
    await app.listen(0, '127.0.0.1');
    try {
      const client = new WebSocket(\`\${(await app.getUrl()).replace('http', 'ws')}/${names.CONSTANT.toLowerCase()}\`);

      const [code] = await once(client, 'close');

      expect(code).toBe(1008);
    } finally {
      await app.close();
    }
  });${registration('providers', names)}
});
`,
};
