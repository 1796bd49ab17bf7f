import { expect } from 'chai'
import { chooseLanguage } from '../../src/http/accept-language.ts'

describe('chooseLanguage', () => {
  it('is English where that is preferred to Russian, whatever the region', () => {
    for (const header of ['en', 'EN-gb', 'en-US,en;q=0.9,ru;q=0.8', 'de, en;q=0.2', 'ru;q=0, *']) {
      expect(chooseLanguage(header), header).to.equal('en')
    }
  })

  it('is the first of two that are preferred alike', () => {
    expect(chooseLanguage('en, ru')).to.equal('en')
    expect(chooseLanguage('ru, en')).to.equal('ru')
  })

  it('is Russian otherwise', () => {
    for (const header of [
      '',
      '*',
      'de',
      ',;,',
      'ru-RU, en;q=0.9',
      'en;q=0',
      'en;q=0.5, *',
      'eng',
    ]) {
      expect(chooseLanguage(header), header).to.equal('ru')
    }
  })
})
