import { ApiNullableTime } from '@libs/http';
import { ApiProperty } from '@nestjs/swagger';

const ApiToldText = (description: string): PropertyDecorator =>
  ApiProperty({ type: 'string', nullable: true, description });

/** A postal address. */
export class PostalAddressView {
  @ApiToldText('Street and number.')
  line_1: string | null;

  @ApiToldText('Second line of the address.')
  line_2: string | null;

  @ApiToldText('City.')
  city: string | null;

  @ApiToldText('State, province or region.')
  region: string | null;

  @ApiToldText('Postal code.')
  postal_code: string | null;

  @ApiToldText('Country: two letters of ISO 3166-1.')
  country: string | null;
}

/** The address data of invoices (C-25.1). Issued invoices keep their data. */
export class BillingInfoView {
  @ApiToldText('Name of the company; null: the name of the tenant.')
  company: string | null;

  @ApiToldText('Address that invoices are sent to; null: to the owner of the tenant.')
  email: string | null;

  @ApiProperty({ type: PostalAddressView, nullable: true, description: 'Postal address.' })
  address: PostalAddressView | null;

  @ApiToldText('Tax id, such as a VAT number.')
  tax_id: string | null;

  @ApiToldText('Your own number of the order.')
  purchase_order: string | null;

  @ApiNullableTime('Time of the last change. Null before the first change.')
  updated_at: string | null;
}
