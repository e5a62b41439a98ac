import type { ApiPart } from '@libs/http';
import { WEBHOOKS } from '../channels/index.js';
import { ENUM_NAMES } from './enum-names.js';
import { OPERATION_NAMES } from './operation-ids.js';
import { TAGS } from './tags.js';

/** The texts about this API in its OpenAPI document. */
export const API_DESCRIPTION = {
  operationNames: OPERATION_NAMES,
  tags: TAGS,
  enumNames: ENUM_NAMES,
  title: 'Landlord: core management API',
  version: '1.0.0',
  sessions: true,
  webhooks: WEBHOOKS,
  description: [
    'Manages an organization (tenant, divisions, environments) and the lifecycle of its broker deployments.',
    'What runs inside a deployment is managed at the Supervisor of its region: the `supervisor_url` of the deployment.',
    '',
    'Send an API key in the header `ld-api-key`. People sign in at `/account/sign_in` instead: the cookie `ld_session` then',
    'stands for them, and their writes send the `csrf_token` of the session as `x-csrf-token`. Refusals are',
    '`application/problem+json` with a stable `code`; the list is at `/errors`. Repeat a POST or PUT safely under an',
    '`idempotency-key`. Long work answers 202 and an operation: read it with `?wait=60` instead of polling.',
  ].join('\n'),
};

const AUDIT = 'Audit';
const NOTIFICATIONS = ['Notifications', 'Webhooks'];

/** The parts of the API that readers can choose at /docs (C-29.2). Together they are the whole description. */
export const API_PARTS: readonly ApiPart[] = [
  {
    name: 'core',
    title: API_DESCRIPTION.title,
    description: API_DESCRIPTION.description,
    hasTag: (tag) => tag !== AUDIT && !NOTIFICATIONS.includes(tag),
  },
  {
    name: 'audit',
    title: 'Landlord: audit service',
    description: 'Tells who did what to an organization, when, and by which API key. Send an API key in `ld-api-key`.',
    hasTag: (tag) => tag === AUDIT,
  },
  {
    name: 'notifications',
    title: 'Landlord: notification service',
    description:
      'Tells people and programs what happened, by the channels that they choose. Send an API key in `ld-api-key`.',
    hasTag: (tag) => NOTIFICATIONS.includes(tag),
  },
];
