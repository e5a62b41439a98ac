import { Clearable, ClearableText, Example, IsEmailAddress, IsText, Nested, UpdateDto } from '@libs/http';
import { IsISO31661Alpha2 } from 'class-validator';

/** A complete postal address. An omitted member is empty. */
export class PostalAddressDto {
  @ClearableText()
  @IsText(200, 'Street and number.')
  line_1?: string | null;

  @ClearableText()
  @IsText(200, 'Second line of the address.')
  line_2?: string | null;

  @ClearableText()
  @IsText(100, 'City.')
  city?: string | null;

  @ClearableText()
  @IsText(100, 'State, province or region.')
  region?: string | null;

  @ClearableText()
  @IsText(20, 'Postal code.')
  postal_code?: string | null;

  @ClearableText()
  @IsISO31661Alpha2()
  @IsText(2, 'Country: two letters of ISO 3166-1.')
  country?: string | null;
}

/** Changes of the address data of invoices. Null clears a member; an omitted member is unchanged. */
@Example<UpdateBillingInfoDto>({
  company: 'Harbour Logistics Ltd',
  email: 'invoices@example.com',
  address: { line_1: '1 Quay Street', city: 'Bristol', postal_code: 'BS1 4RB', country: 'GB' },
  tax_id: 'GB123456789',
  purchase_order: '4711',
})
export class UpdateBillingInfoDto extends UpdateDto {
  @ClearableText()
  @IsText(200, 'Name of the company; null: the name of the tenant.')
  company?: string | null;

  @ClearableText()
  @IsEmailAddress('Address that invoices are sent to; null: to the owner of the tenant.', { orEmpty: true })
  email?: string | null;

  @Clearable()
  @Nested(PostalAddressDto, 'Postal address, whole.')
  address?: PostalAddressDto | null;

  @ClearableText()
  @IsText(50, 'Tax id, such as a VAT number.')
  tax_id?: string | null;

  @ClearableText()
  @IsText(100, 'Your own number of the order.')
  purchase_order?: string | null;
}
