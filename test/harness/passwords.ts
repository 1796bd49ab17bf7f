// Passwords with characters that end a part of a URL in some grammars; no other text contains their other pieces.

export const PASSWORDS = [
  ...['@', '/', ':', '#', '?', ',', '%', '"', '\\', ' '].map(char => `Xq7kB${char}Vw9mT`),
  'Xq7kB@Vw9mT/Kz3cD:Rt5fG#Lm8hJ?Pn6pQ,Hj4sU',
  '4711829/Vw9mT@Kz3cD',
]

export function piecesOf(password: string): string[] {
  return password.match(/\w{5,}/g) ?? []
}
