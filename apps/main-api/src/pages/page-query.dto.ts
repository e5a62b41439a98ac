import { IsString, Matches, MaxLength } from 'class-validator';

/** The parameters in the links of mails. A link that lost a parameter still shows its page. */
export class PageQueryDto {
  @IsString()
  @MaxLength(200)
  token: string = '';

  @IsString()
  @MaxLength(200)
  next: string = '';

  @IsString()
  @MaxLength(254)
  email: string = '';

  @Matches(/^\d{1,16}$/)
  id: string = '0';

  @Matches(/^\d{1,16}$/)
  tenant_id: string = '0';
}
