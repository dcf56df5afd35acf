"""The post: a faction's view in; what leaves for its club out, and what came back told apart."""
