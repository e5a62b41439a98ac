import { EVENTS } from '@libs/domain';
import { TEST_TYPE } from '@libs/persistence/channels';

const header = (name: string, description: string) => ({
  name,
  in: 'header' as const,
  required: true,
  description,
  schema: { type: 'string' as const },
});
const nullableId = (description: string) => ({
  type: ['integer', 'null'] as unknown as 'integer',
  format: 'int64',
  description,
});

const BODY = {
  type: 'object' as const,
  required: [
    ...['id', 'sequence', 'type', 'created_at', 'tenant_id', 'division_id', 'environment_id', 'deployment_id'],
    ...['subject', 'body', 'data'],
  ],
  properties: {
    id: {
      type: 'string' as const,
      format: 'uuid',
      description: 'Id of the event: the same at every attempt, and for every channel. Equals `webhook-id`.',
    },
    sequence: {
      type: 'integer' as const,
      format: 'int64',
      description: 'Place in the order of the channel, from 1 and without gaps.',
    },
    type: {
      type: 'string' as const,
      enum: [...Object.keys(EVENTS), TEST_TYPE],
      description: `Type of the event; \`${TEST_TYPE}\` for a test of the channel.`,
    },
    created_at: { type: 'string' as const, format: 'date-time', description: 'Time of the event.' },
    tenant_id: { type: 'integer' as const, format: 'int64', description: 'The tenant of the event.' },
    division_id: nullableId('The division of the event. Null for an event of the whole tenant.'),
    environment_id: nullableId('The environment of the event. Null for none.'),
    deployment_id: nullableId('The deployment of the event. Null for none.'),
    subject: { type: 'string' as const, description: 'One line, for people.' },
    body: { type: 'string' as const, description: 'Some lines of text, for people.' },
    data: { type: 'object' as const, description: 'The facts of the event, by its type.' },
  },
};

/** The requests to a webhook channel (C-24.10), for the API description. */
export const WEBHOOKS = {
  notification: {
    post: {
      operationId: 'Notification',
      // Generators write the methods of a tag into one class, and no client calls this.
      tags: ['Webhooks'],
      summary: 'A notification to a webhook',
      description: [
        'Signed with the secret of the channel by the Standard Webhooks scheme (standardwebhooks.com): HMAC-SHA256 over',
        '`<webhook-id>.<webhook-timestamp>.<body>`. Reject a request without a valid signature, or older than five minutes.',
        'A 2xx response within ten seconds accepts the event. After any other response, also a redirect, the delivery is',
        'retried for 24 hours. A retry has the same `webhook-id` and may arrive after later events: sort by `sequence`.',
      ].join(' '),
      parameters: [
        header('webhook-id', 'Equals `id` of the body.'),
        header('webhook-timestamp', 'Time of this attempt, in seconds since 1970.'),
        header(
          'webhook-signature',
          '`v1,` and base64. Several signatures with blanks between them during the overlap of two secrets.',
        ),
      ],
      requestBody: { required: true, content: { 'application/json': { schema: BODY } } },
      responses: { '2XX': { description: 'It was taken.' } },
    },
  },
};
