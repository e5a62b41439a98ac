import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { API_KEY_HEADER, API_KEY_SCHEME } from '../access/api-key.strategy.js';
import { operationIdOf } from '../errors/fails-with.decorator.js';
import { addErrorResponses } from './error-responses.js';

export interface ApiDescription {
  title: string;
  description: string;
  version: string;
  /** Where the API is reached. */
  url: string;
}

/** The OpenAPI 3.1 description of an app, with every refusal of every route. */
export function describeApi(app: INestApplication, api: ApiDescription): OpenAPIObject {
  const config = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle(api.title)
    .setDescription(api.description)
    .setVersion(api.version)
    .addServer(api.url)
    .addApiKey({ type: 'apiKey', in: 'header', name: API_KEY_HEADER, description: 'An API key.' }, API_KEY_SCHEME)
    .addApiKey({ type: 'apiKey', in: 'cookie', name: 'ld_session', description: 'A session.' }, 'session_cookie')
    .build();
  const document = SwaggerModule.createDocument(app, config, { operationIdFactory: operationIdOf });
  return addErrorResponses(document);
}

/** Serves the description at /openapi.json and the browsable docs, which need no network, at /docs. */
export function serveDocs(app: INestApplication, document: OpenAPIObject): void {
  SwaggerModule.setup('docs', app, document, {
    jsonDocumentUrl: 'openapi.json',
    yamlDocumentUrl: 'openapi.yaml',
    customSiteTitle: document.info.title,
    swaggerOptions: { persistAuthorization: false, displayOperationId: true, tryItOutEnabled: true },
  });
}
