import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { API_KEY_HEADER, API_KEY_SCHEME, SESSION_SCHEME } from '../access/strategies/names.js';
import { SESSION_COOKIE } from '../access/strategies/session-cookie.js';
import { operationIdOf } from '../errors/fails-with.decorator.js';
import type { Request, Response } from 'express';
import { addAnswerHeaders } from './answer-headers.js';
import { dropChoicesOfAny } from './any-values.js';
import { addErrorResponses } from './error-responses.js';
import { markDeprecated } from './mark-deprecated.js';
import { nameEnums, type EnumNames } from './name-enums.js';
import { namePages } from './name-pages.js';
import { nameOperations, type OperationNames } from './operation-ids.js';
import { orderParameters } from './parameter-order.js';
import { partOf, type ApiPart } from './part-of.js';
import { describeBodies } from './request-bodies.js';
import { shareComponents } from './share-components.js';
import { joinPaths, tellPathsApart } from './tell-paths-apart.js';
import { addSessions } from './session-security.js';

export interface ApiDescription {
  title: string;
  description: string;
  version: string;
  /** URL at which clients reach the API. */
  url: string;
  /** What each tag is about. */
  tags: Readonly<Record<string, string>>;
  /** The closed sets of values that clients see as types of their own. */
  enumNames: EnumNames;
  /** Operation ids that clients see, where they differ from the controller and the method. */
  operationNames: OperationNames;
  /** Whether users sign in to the API. */
  sessions?: boolean;
  /** The requests that the app sends to addresses of its users. */
  webhooks?: NonNullable<OpenAPIObject['webhooks']>;
}

/** Generators of packages write the name into the package: it is the one of SPDX. */
const LICENSE = { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' };

/** Returns the OpenAPI 3.1 description of an app, with every refusal of every route. */
export function describeApi(app: INestApplication, api: ApiDescription): OpenAPIObject {
  const config = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle(api.title)
    .setDescription(api.description)
    .setVersion(api.version)
    .setLicense(LICENSE.name, LICENSE.url)
    .addServer(api.url)
    .addApiKey({ type: 'apiKey', in: 'header', name: API_KEY_HEADER, description: 'An API key.' }, API_KEY_SCHEME)
    .addApiKey(
      {
        type: 'apiKey',
        in: 'cookie',
        name: SESSION_COOKIE,
        description: 'A session. By HTTPS the name is `__Host-ld_session`.',
      },
      SESSION_SCHEME,
    )
    .build();
  const document = SwaggerModule.createDocument(app, config, { operationIdFactory: operationIdOf });
  document.paths = asWritten(document.paths);
  joinPaths(document);
  describeBodies(document, app);
  addNotModified(document);
  dropChoicesOfAny(document);
  if (api.webhooks) document.webhooks = api.webhooks;
  if (api.sessions) addSessions(document);
  document.tags = Object.entries(api.tags).map(([name, description]) => ({ name, description }));
  const complete = orderParameters(markDeprecated(addAnswerHeaders(addErrorResponses(document))));
  const named = nameOperations(tellPathsApart(complete), api.operationNames);
  return shareComponents(nameEnums(namePages(named), api.enumNames));
}

type Headers = NonNullable<Exclude<NonNullable<OpenAPIObject['components']>['headers'], undefined>>;

/** Every GET of JSON honours `if-none-match` (C-4.7). */
function addNotModified({ paths }: OpenAPIObject): void {
  for (const { get } of Object.values(paths))
    if (get && isJson(get.responses['200'])) {
      const { headers } = get.responses['200'];
      const description = 'Unchanged: the etag in `if-none-match` is still that of the answer.';
      get.responses['304'] = { description, ...(headers && { headers: { ...headers } }) };
    }
}

const isJson = (response: object | undefined): response is { headers?: Headers } =>
  response !== undefined && 'content' in response && 'application/json' in (response.content as object);

/** The module that reads paths leaves a backslash for a literal colon before a parameter. */
const asWritten = (paths: OpenAPIObject['paths']): OpenAPIObject['paths'] =>
  Object.fromEntries(Object.entries(paths).map(([path, item]) => [path.replaceAll('\\{', ':{'), item]));

/**
 * Serves the description at /openapi.json, and browsable docs at /docs, which need no network. With parts, each part is
 * served at /openapi/<name>.json, and the docs let the reader choose one. The first request makes the description: that
 * takes a third of the time of a start, and few processes ever need it.
 */
export function serveDocs(app: INestApplication, api: ApiDescription, parts: readonly ApiPart[] = []): void {
  let document: OpenAPIObject | null = null;
  const describe = (): OpenAPIObject => (document ??= describeApi(app, api));
  for (const part of parts) serveJson(app, addressOf(part), () => partOf(describe(), part));
  const urls = parts.map((part) => ({ url: addressOf(part), name: part.title }));
  SwaggerModule.setup('docs', app, describe, {
    jsonDocumentUrl: 'openapi.json',
    yamlDocumentUrl: 'openapi.yaml',
    customSiteTitle: api.title,
    explorer: urls.length > 0,
    swaggerOptions: {
      persistAuthorization: false,
      displayOperationId: true,
      tryItOutEnabled: true,
      ...(urls.length > 0 && { urls }),
    },
  });
}

const addressOf = ({ name }: ApiPart): string => `/openapi/${name}.json`;

function serveJson(app: INestApplication, address: string, describe: () => OpenAPIObject): void {
  let text: string | null = null;
  app.getHttpAdapter().get(address, (_: Request, response: Response) => {
    response.setHeader('content-type', 'application/json; charset=utf-8');
    response.end((text ??= JSON.stringify(describe())));
  });
}
