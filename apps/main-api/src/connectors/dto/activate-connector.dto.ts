import { CONNECTOR_TYPES, type ConnectorType } from '@libs/domain';
import { Example, IsName, IsNameOfMember, IsOneOf, IsSpelled, IsText, Optional } from '@libs/http';

/** The key is part of paths, file names and names of environment variables without escaping. */
const INSTANCE_KEY = { pattern: /^[a-z0-9_]{1,64}$/, reason: 'must be 1 to 64 lower-case letters, digits and _' };

/** The connector to activate, and the names of the new instance (C-18.4). */
@Example<ActivateConnectorDto>({
  connector_type: 'sink',
  connector_key: 'stdout',
  instance_name: 'Orders to the log',
  instance_key: 'orders',
})
export class ActivateConnectorDto {
  @IsText(64, 'Key in the catalogue.')
  connector_key: string;

  @IsOneOf(CONNECTOR_TYPES, 'Type in the catalogue.')
  connector_type: ConnectorType;

  @Optional()
  @IsName('Display name of the instance. Default: the name of the connector.')
  instance_name?: string;

  @Optional()
  @IsNameOfMember()
  @IsSpelled(
    INSTANCE_KEY,
    'Unique within the deployment. Configurations of the instance carry this name. Default: a generated key.',
  )
  instance_key?: string;
}
