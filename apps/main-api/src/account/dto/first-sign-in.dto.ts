import { Example, IsText } from '@libs/http';

/** The link that a start of Landlord printed. */
@Example<FirstSignInDto>({ token: 'the part of the link after #' })
export class FirstSignInDto {
  @IsText(100, 'The token in the link: its part after `#`.')
  token: string;
}
