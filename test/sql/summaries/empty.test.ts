// What every report of ours says where it has nothing to tell.
import { expect } from 'chai'
import { ourCatalog } from '../subject.ts'
import { MAY, said } from './said.ts'

describe('the empty sentence of', () => {
  for (const code of ourCatalog().reports.keys()) {
    it(`${code} says when and what there was not`, () => {
      expect(said(code, MAY, 0)).to.match(
        /^(За май|На 31 мая) 2026 года .*(нет|не было|не ожидается)/,
      )
    })
  }
})
