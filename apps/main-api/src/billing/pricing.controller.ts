import { Get } from '@nestjs/common';
import { Catalog } from '@libs/catalog';
import { Cacheable, everybody, Reads, Routes } from '@libs/http';
import { PriceListView } from './dto/price-list.view.js';
import { toPriceList } from './to-price-list.js';

@Routes('pricing', 'Billing')
export class PricingController {
  constructor(private readonly catalog: Catalog) {}

  /** Reads all prices. This request needs no key. */
  @Get()
  @Reads(everybody('prices are for everybody', { limited: true }), PriceListView)
  @Cacheable()
  get(): PriceListView {
    return toPriceList(this.catalog);
  }
}
