/** Currencies by ISO 4217: their codes, and the digits of their smallest unit. */

export interface Currency {
  readonly code: string
  /** Decimals of an amount: money is a whole number of the unit that they count. */
  readonly digits: number
}

/** Those in use in 2026, but for metals and units of account without digits. @see https://www.six-group.com/en/products-services/financial-information/data-standards.html */
const CODES = `
AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW
CLF CLP CNY COP COU CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG
HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK
MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR
SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD USN UYI UYU UYW
UZS VED VES VND VUV WST XAD XAF XCD XCG XOF XPF YER ZAR ZMW ZWG`
/** why: those of Intl differ for IQD, HUF and IDR, and between versions */
const OTHER_DIGITS: Readonly<Record<number, string>> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
  3: 'BHD IQD JOD KWD LYD OMR TND',
  4: 'CLF UYW',
}
const CURRENCIES = new Map(
  CODES.trim()
    .split(/\s/)
    .map(code => [code, { code, digits: 2 }]),
)
for (const [digits, codes] of Object.entries(OTHER_DIGITS))
  for (const code of codes.split(' ')) CURRENCIES.set(code, { code, digits: Number(digits) })

/** Undefined for a code that ISO 4217 does not have, or without digits. */
export function currencyOf(code: string): Currency | undefined {
  return CURRENCIES.get(code)
}
