import { CONNECTOR_TYPES, type ConnectorType } from '@libs/domain';
import { IsOneOf, Optional, PageQuery } from '@libs/http';

/** Filters of the catalogue of connectors. */
export class ConnectorsQuery extends PageQuery {
  @Optional()
  @IsOneOf(CONNECTOR_TYPES, 'Only of this type.')
  type?: ConnectorType;
}
