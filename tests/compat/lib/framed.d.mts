export const framings: Readonly<Record<string, (message: object) => string | Buffer>>;
