import { Clearable, ClearableText, Example, IsFlag, IsInstant, IsName, IsText, Nested, Optional } from '@libs/http';
import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayMinSize, IsArray, Matches } from 'class-validator';
import type { RuleFlag } from './access-rule.view.js';

/** More blocks than a person lists by hand. Every node receives the whole rule. */
const MAX_BLOCKS = 200;

/** The protocols that an access rule opens; at least one. */
export class RuleFlagsDto implements Partial<Record<RuleFlag, boolean>> {
  @Optional()
  @IsFlag('TCP. Default false.')
  broker_tcp?: boolean;

  @Optional()
  @IsFlag('HTTP and the browser UI. Default false.')
  broker_http?: boolean;

  @Optional()
  @IsFlag('WebSocket. Default false.')
  broker_websocket?: boolean;

  @Optional()
  @IsFlag('UDP. Default false.')
  broker_udp?: boolean;
}

/** A new access rule (C-15.3). */
@Example<CreateAccessRuleDto>({
  name: 'office',
  cidr_blocks: ['203.0.113.0/24'],
  rules: { broker_tcp: true },
  remarks: 'The network of the office.',
})
export class CreateAccessRuleDto {
  @Matches(/^[\p{L}\p{M}\p{N}\-_.: ]*$/u, { message: 'may hold letters, digits, spaces and - _ . : only' })
  @IsName('Unique within the deployment, without regard to case. Only letters, digits, spaces and - _ . :')
  name: string;

  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_BLOCKS)
  @ApiProperty({
    type: 'array',
    items: { type: 'string' },
    minItems: 1,
    maxItems: MAX_BLOCKS,
    description: 'IPv4 CIDRs.',
  })
  cidr_blocks: unknown[];

  /** The protocols that the rule opens. */
  @Nested(RuleFlagsDto)
  rules: RuleFlagsDto;

  @Clearable()
  @IsInstant('End of the rule, in the future. Default: no end.')
  valid_to?: string | null;

  @ClearableText()
  @IsText(500, 'Notes for people.')
  remarks?: string | null;
}
