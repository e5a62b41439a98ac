import { ApiTime, ApiId, Resource } from '@libs/http';
import { ApiProperty } from '@nestjs/swagger';

/** A message that the destination of a sink refused for good (C-18.13). */
@Resource<DeadLetterView>({ columns: ['id', 'failed_at', 'topic', 'error', 'attempts', 'payload_bytes'] })
export class DeadLetterView {
  @ApiId('The letter. Unique on the node.')
  id: number;

  @ApiProperty({ type: 'string', description: 'The id with which the sink delivers the message.' })
  message_id: string;

  @ApiProperty({ type: 'string', description: 'The topic of the message: `<stream>/<topic>`.' })
  topic: string;

  @ApiProperty({ type: 'string', description: 'Why the destination refused the message.' })
  error: string;

  @ApiProperty({ type: 'integer', description: 'Deliveries that were attempted.' })
  attempts: number;

  @ApiTime('Time of the first refusal.')
  failed_at: string;

  @ApiProperty({
    type: 'string',
    format: 'byte',
    description: 'The payload as base64, as far as the page has capacity.',
  })
  payload: string;

  @ApiProperty({ type: 'integer', description: 'Bytes of the whole payload.' })
  payload_bytes: number;

  @ApiProperty({
    type: 'boolean',
    description: 'True when `payload` is only the start. A page with fewer results shows more of each payload.',
  })
  is_truncated: boolean;
}

/** The number of letters that a request concerned. */
export class DeadLetterCountView {
  @ApiProperty({ type: 'integer', description: 'Letters that are delivered again as soon as possible.' })
  count: number;
}
