// The values of the Application group and of its organisations (specification section 6.3).

/** Values of the Application group. */
export const applicationValues = { Capabilities: 'common.Capabilities', ACLs: 'protos.ACLs' } as const;

/** Values of an organisation in it. */
export const applicationOrgValues = { MSP: 'msp.MSPConfig', AnchorPeers: 'protos.AnchorPeers' } as const;
