import { ApiNullableText, ApiNullableTime, ApiTime, ApiId, Resource } from '@libs/http';
import { ApiProperty } from '@nestjs/swagger';

export const RULE_FLAGS = ['broker_tcp', 'broker_http', 'broker_websocket', 'broker_udp'] as const;
export type RuleFlag = (typeof RULE_FLAGS)[number];

/** The protocols that an access rule opens. */
export class RuleFlagsView implements Record<RuleFlag, boolean> {
  /** True when the rule opens TCP. */
  broker_tcp: boolean;

  /** True when the rule opens HTTP and the browser UI. */
  broker_http: boolean;

  /** True when the rule opens WebSocket. */
  broker_websocket: boolean;

  /** True when the rule opens UDP. */
  broker_udp: boolean;
}

/** A rule for connections of clients to the nodes (C-15.1). */
@Resource<AccessRuleView>({
  id: 'access_rule_id',
  namedBy: 'name',
  columns: ['id', 'name', 'cidr_blocks', 'rules', 'valid_to', 'created_at'],
})
export class AccessRuleView {
  @ApiId('The rule.')
  id: number;

  /** Unique within the deployment, without regard to case. */
  name: string;

  /** Notes for people. Null for none. */
  @ApiNullableText()
  remarks: string | null;

  /** The protocols that the rule opens. */
  @ApiProperty({ type: RuleFlagsView })
  rules: RuleFlagsView;

  @ApiProperty({ type: [String], description: 'IPv4 CIDRs, bits of the host cleared.' })
  cidr_blocks: string[];

  @ApiNullableTime('End of the rule. The rule is not enforced after this time.')
  valid_to: string | null;

  @ApiProperty({
    enum: [...RULE_FLAGS],
    isArray: true,
    description: 'Protocols that the rule opens and the broker of this deployment does not offer.',
  })
  unavailable: RuleFlag[];

  @ApiTime()
  created_at: string;
}
