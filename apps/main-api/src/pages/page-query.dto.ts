import { IsString, Matches, MaxLength } from 'class-validator';

/** What the links of mails carry; a link that lost a part of it still shows its page. */
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
