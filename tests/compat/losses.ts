/** Oddities that do cost something, each with the reason why nothing better can be done. */
export const losses: readonly { readonly begins: string; readonly reason: string }[] = [];
