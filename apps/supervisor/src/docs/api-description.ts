import { ENUM_NAMES } from './enum-names.js';
import { OPERATION_NAMES } from './operation-ids.js';
import { TAGS } from './tags.js';

/** The texts about this API in its OpenAPI document. */
export const API_DESCRIPTION = {
  operationNames: OPERATION_NAMES,
  tags: TAGS,
  enumNames: ENUM_NAMES,
  title: 'Landlord: Supervisor API',
  version: '1.0.0',
  description: [
    'Controls what runs inside the deployments of one cell: live status, nodes, client credentials and operations.',
    'This API does not find deployments of other cells. A caller who may read such a deployment gets the address of its Supervisor.',
    '',
    'Send an API key of the main API in the header `ld-api-key`.',
  ].join('\n'),
};
