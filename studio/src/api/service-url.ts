// Where the service is: Studio is served one segment below its root.

export const serviceUrl = (path: string): URL => new URL(`..${path}`, document.baseURI);
