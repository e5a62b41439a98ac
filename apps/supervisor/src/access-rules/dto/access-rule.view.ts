import { ApiId } from '@libs/http';
import { ApiProperty } from '@nestjs/swagger';

export const RULE_FLAGS = ['broker_tcp', 'broker_http', 'broker_websocket', 'broker_udp'] as const;
export type RuleFlag = (typeof RULE_FLAGS)[number];

/** The protocols that a rule opens. */
export class RuleFlagsView implements Record<RuleFlag, boolean> {
  broker_tcp: boolean;

  broker_http: boolean;

  broker_websocket: boolean;

  broker_udp: boolean;
}

/** A rule for connections to the nodes (C-15.1). */
export class AccessRuleView {
  @ApiId('The rule.')
  id: number;

  /** Unique within the deployment, without regard to case. */
  name: string;

  @ApiProperty({ type: 'string', nullable: true })
  remarks: string | null;

  @ApiProperty({ type: RuleFlagsView })
  rules: RuleFlagsView;

  @ApiProperty({ type: [String], description: 'IPv4 CIDRs, bits of the host cleared.' })
  cidr_blocks: string[];

  @ApiProperty({
    type: 'string',
    format: 'date-time',
    nullable: true,
    description: 'End of the rule. The rule is not enforced after this time.',
  })
  valid_to: string | null;

  @ApiProperty({
    enum: [...RULE_FLAGS],
    isArray: true,
    description: 'Protocols that the rule opens and the broker of this deployment does not offer.',
  })
  unavailable: RuleFlag[];

  @ApiProperty({ type: 'string', format: 'date-time' })
  created_at: string;
}
