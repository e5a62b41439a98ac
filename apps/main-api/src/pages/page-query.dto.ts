import { IsString, Matches, MaxLength } from 'class-validator';

/** The parameters of links. A link that lost a parameter still leads to its page. */
export class PageQueryDto {
  @IsString()
  @MaxLength(200)
  token: string = '';

  @IsString()
  @MaxLength(100)
  name: string = '';

  @IsString()
  @MaxLength(100)
  code_challenge: string = '';

  @IsString()
  @MaxLength(200)
  redirect_uri: string = '';

  @IsString()
  @MaxLength(200)
  state: string = '';

  @IsString()
  @MaxLength(254)
  email: string = '';

  @Matches(/^\d{1,16}$/)
  id: string = '0';

  @Matches(/^\d{1,16}$/)
  tenant_id: string = '0';
}
