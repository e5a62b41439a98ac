import { ApiTime, ApiId } from '@libs/http';
import { ApiProperty } from '@nestjs/swagger';
import { ApiKeyWithSecretView } from '../../api-keys/index.js';

/** A code for a new key. */
export class LoginCodeView {
  @ApiId('The key that the code hands over.')
  api_key_id: number;

  @ApiProperty({
    format: 'uri',
    description: '`redirect_uri` with the members `code` and `state`: the browser opens it.',
  })
  redirect_to: string;

  /** Time at which the code expires, two minutes after its creation. A key whose code expires is deleted. */
  @ApiTime()
  expires_at: string;
}

/** The key of a code, with the tenant of the key. */
export class RedeemedKeyView extends ApiKeyWithSecretView {
  @ApiId('The tenant of the key.')
  tenant_id: number;
}
