/**
 * What each tool of `landlord mcp` takes and returns, as members of requests and answers of the API. A member that is not named here never
 * reaches a model. The descriptions of the tools are beside their code in packages/cli/src/mcp.
 */
const names = (text) => text.split(' ');
/** Members of a request, as input. */
export const takes = (operation, text) => ({ operation, members: names(text) });
/** Members of an answer, or of the member of an answer that the path names. `items.id` is a member of a member, or of each item. */
export const members = (operation, text, more = {}) => ({ operation, members: names(text), ...more });
export const listed = (operation, text, path) => members(operation, text, { isList: true, ...(path && { path }) });
export const inItems = (text) =>
  names(text)
    .map((name) => `items.${name}`)
    .join(' ');

export const text = (description) => ({ type: 'string', description });
export const DEPLOYMENT = { deployment: text('Id, name or code.') };
export const DIVISION = { division: text('Id or name. Default: the only one.') };
export const ENVIRONMENT = { environment: text('Id or name. Default: the only one.') };
export const KEY = {
  idempotency_key: {
    ...{ type: 'string', minLength: 8, maxLength: 200 },
    description: 'New for each change; the same to repeat a call.',
  },
};
export const CONFIG_ID = {
  config_id: { type: 'integer', description: 'The id of "active" in the answer of "config".' },
};
export const MOST_USD = {
  max_monthly_usd: {
    type: 'number',
    minimum: 0,
    description: 'Refuses a higher price per month.',
  },
};

export const TEXT = { type: 'string' };
export const OPTIONAL_TEXT = { type: ['string', 'null'] };
export const TEXTS = { type: 'array', items: TEXT };
export const ACCEPTED = { deployment_id: { type: 'integer' }, operation_id: { type: 'integer' } };
/** Parts of an answer that could not be read, such as those of a Supervisor that does not answer. */
export const MISSING = { missing: TEXTS };

export const PAGE = 'total_results total_pages';
export const OPERATION = 'id type status deployment_id progress reason incident created_at finished_at';
export const RULE = 'id name cidr_blocks rules valid_to';
