import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Catalog } from '@libs/catalog';
import { Cacheable, Public, Returns } from '@libs/http';
import { PriceListView } from './dto/price-list.view.js';
import { toPriceList } from './to-price-list.js';

@ApiTags('Billing')
@Controller('pricing')
export class PricingController {
  constructor(private readonly catalog: Catalog) {}

  /** Reads all prices. This request needs no key. */
  @Get()
  @Public('prices are for everybody', { limited: true })
  @Cacheable()
  @Returns(PriceListView)
  get(): PriceListView {
    return toPriceList(this.catalog);
  }
}
