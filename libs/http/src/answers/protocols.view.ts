import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { ApiNullableText } from '../input/rules.js';

/** Topics that the broker refuses in a publish. */
export class RefusedTopicsView {
  /** Text that no topic may have in it. */
  contains: string[];

  /** Text that no topic may begin with. */
  begins_with: string[];
}

/** What clients of the broker can rely on. */
export class ProtocolsView {
  @ApiProperty({ type: [String], description: 'Versions of MQTT. Empty: the broker does not speak MQTT.' })
  mqtt: string[];

  @ApiProperty({ type: 'array', items: { type: 'integer' }, description: 'QoS levels that publishers may use.' })
  qos: number[];

  /** Whether the broker serves filters that begin with `$share/`. Otherwise its SUBACK has 0x80 for them. */
  shared_subscriptions: boolean;

  @ApiProperty({ type: RefusedTopicsView, description: 'Topics that the broker refuses in a publish.' })
  refused_topics: RefusedTopicsView;

  @ApiNullableText('Release of Apache Iggy. Null: the broker does not speak its protocol.')
  iggy: string | null;
}

/** The member `protocols` of a deployment. */
export const PROTOCOLS: ApiPropertyOptions = {
  type: ProtocolsView,
  nullable: true,
  description: 'What clients of the broker can rely on. Null until the nodes exist.',
};

/** The member `clients` of a deployment. */
export const CLIENTS: ApiPropertyOptions = {
  enum: ['none_allowed'],
  type: 'string',
  nullable: true,
  description: '`none_allowed`: no access rule is in force, so no client can connect. Null: there is a rule.',
};
